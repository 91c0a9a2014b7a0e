"""What printers, scanners, phones and coffee do to a page at 300 dpi, each with a picture of its own."""

from __future__ import annotations

import io
import math
from collections.abc import Callable

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from .filled import DPI, MM

Chance = np.random.Generator
Page = np.ndarray


def resized(g: Page, dpi: float) -> Page:
    size = (round(g.shape[1] * dpi / DPI), round(g.shape[0] * dpi / DPI))
    return np.asarray(Image.fromarray(g).resize(size, Image.Resampling.BOX))


def turned(g: Page, degrees: float) -> Page:
    return np.asarray(Image.fromarray(g).rotate(degrees, Image.Resampling.BILINEAR, fillcolor=250))


def jpeg(g: Page, quality: int) -> Page:
    out = io.BytesIO()
    Image.fromarray(g).save(out, "JPEG", quality=quality)
    return np.asarray(Image.open(out))


def noisy(g: Page, sigma: float, chance: Chance) -> Page:
    return np.clip(g + chance.normal(0, sigma, g.shape), 0, 255).astype(np.uint8)


def blurred(g: Page, sigma: float) -> Page:
    return np.asarray(Image.fromarray(g).filter(ImageFilter.GaussianBlur(sigma)))


def remapped(g: Page, x: np.ndarray, y: np.ndarray) -> Page:
    """Bilinear; what lies outside is white."""
    high, wide = g.shape
    x0, y0 = np.floor(x).astype(int), np.floor(y).astype(int)
    fx, fy = x - x0, y - y0
    inside = (x0 >= 0) & (y0 >= 0) & (x0 < wide - 1) & (y0 < high - 1)
    x0, y0 = np.clip(x0, 0, wide - 2), np.clip(y0, 0, high - 2)
    f = g.astype(np.float32)
    above, below = (f[row, x0] * (1 - fx) + f[row, x0 + 1] * fx for row in (y0, y0 + 1))
    return np.where(inside, above * (1 - fy) + below * fy, 255).astype(np.uint8)


def warped(g: Page, corners: np.ndarray, size: tuple[int, int], outside: int) -> Page:
    """The page with its corners (top left, clockwise) put at these places of a new picture."""
    high, wide = g.shape
    rows, right = [], []
    for (u, v), (x, y) in zip(corners, ((0, 0), (wide, 0), (wide, high), (0, high)), strict=True):
        rows += [[u, v, 1, 0, 0, 0, -u * x, -v * x], [0, 0, 0, u, v, 1, -u * y, -v * y]]
        right += [x, y]
    found = np.linalg.solve(np.array(rows, float), np.array(right, float))
    how = (Image.Transform.PERSPECTIVE, tuple(found), Image.Resampling.BILINEAR)
    return np.asarray(Image.fromarray(g).transform(size, *how, fillcolor=outside))


def photo(g: Page, chance: Chance, width: int = 1500, tilt: float = 0.07, curl: float = 0, quality: int = 80) -> Page:
    """A phone's: perspective, a shadow, blur, noise, JPEG, any turn; `curl` in mm."""
    high, wide = g.shape
    if curl:
        y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
        phase = chance.uniform(0, 6.28)
        g = remapped(g, x + curl * MM * np.sin(y / high * 4 + phase), y + curl * MM * np.sin(x / wide * 3 + phase))
    w, h, edge = width, int(width * 4 / 3), 0.07
    far = 1 - edge
    flat = np.array([[edge, edge], [far, edge], [far, far], [edge, far]]) * [w, h]
    corners = flat + chance.uniform(-tilt, tilt, (4, 2)) * [w * 0.9, h * 0.6]
    corners = np.clip(corners, [w * 0.01, h * 0.01], [w * 0.99, h * 0.99])
    g = blurred(g, max(0.7, 0.3 * DPI / 25.4 * 0.2 * 1500 / width))
    o = warped(g, corners, (w, h), int(chance.integers(40, 110))).astype(np.float32)
    y, x = np.mgrid[0:h, 0:w]
    a = chance.uniform(0, 6.28)
    light = 0.55 + 0.4 * ((np.cos(a) * x / w + np.sin(a) * y / h) + 1) / 2.4
    shown = blurred(np.clip(o * 0.85 * light + 8, 0, 255).astype(np.uint8), 0.8)
    return np.rot90(jpeg(noisy(shown, 4, chance), quality), int(chance.integers(4))).copy()


def stained(g: Page, chance: Chance) -> Page:
    o, (high, wide) = g.astype(np.float32), g.shape
    for _ in range(6):
        t = Image.new("L", (wide // 4, high // 4), 255)
        c, r = (int(chance.integers(wide // 4)), int(chance.integers(high // 4))), int(chance.integers(20, 110))
        draw = ImageDraw.Draw(t)
        if chance.random() < 0.5:
            ring = {"outline": int(chance.integers(130, 200)), "width": int(chance.integers(4, 14))}
            draw.ellipse((c[0] - r, c[1] - r, c[0] + r, c[1] + r), **ring)
        else:
            r //= 2
            draw.ellipse((c[0] - r, c[1] - r, c[0] + r, c[1] + r), fill=int(chance.integers(140, 205)))
        o *= np.asarray(t.filter(ImageFilter.GaussianBlur(3)).resize((wide, high)), np.float32) / 255
    return o.astype(np.uint8)


def cropped(g: Page, mm: float, side: int) -> Page:
    k = int(mm * MM)
    return (g[k:], g[:-k], g[:, k:], g[:, :-k])[side]


def skewed(g: Page) -> Page:
    size, how = (g.shape[1] + 60, g.shape[0] + 60), (1, -0.02, 0, 0.012, 1, -40)
    image = Image.fromarray(g)
    return np.asarray(image.transform(size, Image.Transform.AFFINE, how, Image.Resampling.BILINEAR, fillcolor=250))


def smaller(g: Page) -> Page:
    page = Image.new("L", (1654, 2339), 255)
    page.paste(Image.fromarray(resized(g, 188)), (50, 70))
    return np.asarray(page)


def all_at_once(g: Page, c: Chance) -> Page:
    page = resized(turned(stained(g, c), c.uniform(-3, 3)), 150)
    return jpeg(noisy((60 + 0.7 * page).astype(np.uint8), 12, c), 40)


Condition = tuple[str, Callable[[Page, Chance], Page]]  # how bubbles are filled, what then happens to the page

ORDINARY: dict[str, Condition] = {
    "clean 150 dpi": ("fill", lambda g, c: resized(g, 150)),
    "clean 200 dpi": ("fill", lambda g, c: resized(g, 200)),
    "clean 300 dpi": ("fill", lambda g, c: g),
    "100 dpi": ("fill", lambda g, c: resized(g, 100)),
    "75 dpi": ("fill", lambda g, c: resized(g, 75)),
    "turned 3°": ("mixed", lambda g, c: resized(turned(g, c.choice([-3, 3])), 200)),
    "turned 8°": ("mixed", lambda g, c: resized(turned(g, c.choice([-8, 8])), 200)),
    "skew 2 %": ("mixed", lambda g, c: resized(skewed(g), 200)),
    "upside down": ("mixed", lambda g, c: np.rot90(resized(g, 200), 2).copy()),
    "90°": ("mixed", lambda g, c: np.rot90(resized(g, 200), int(c.choice([1, 3]))).copy()),
    "JPEG 40, 150 dpi": ("mixed", lambda g, c: jpeg(resized(g, 150), 40)),
    "JPEG 15, 150 dpi": ("mixed", lambda g, c: jpeg(resized(g, 150), 15)),
    "low contrast 120..190": ("mixed", lambda g, c: noisy((120 + resized(g, 200) * 0.275).astype(np.uint8), 4, c)),
    "1-bit 200 dpi": ("mixed", lambda g, c: np.where(resized(g, 200) > 160, 255, 0).astype(np.uint8)),
    "scaled 94 %": ("mixed", lambda g, c: smaller(g)),
    "edge cropped 10 mm": ("mixed", lambda g, c: resized(cropped(g, 10, int(c.integers(4))), 200)),
    "blur 0.3 mm": ("mixed", lambda g, c: blurred(resized(g, 200), 2.4)),
    "pencil": ("pencil", lambda g, c: resized(g, 200)),
    "photo 1500 px": ("mixed", photo),
    "photo 900 px": ("mixed", lambda g, c: photo(g, c, width=900, quality=60)),
    "rubbed out, other filled": ("rubbed, other", lambda g, c: resized(g, 200)),
}
NOISY: dict[str, Condition] = {
    "noise 30": ("mixed", lambda g, c: noisy(resized(g, 200), 30, c)),
    "1-bit, half-tone copy": (
        "mixed",
        lambda g, c: np.where(noisy(resized(g, 200), 45, c) > 150, 255, 0).astype(np.uint8),
    ),
}
HARD: dict[str, Condition] = {
    "edge cropped 22 mm": ("mixed", lambda g, c: resized(cropped(g, 22, int(c.integers(1, 4))), 200)),
    "stains": ("mixed", lambda g, c: resized(stained(g, c), 200)),
    "photo, strong tilt": ("mixed", lambda g, c: photo(g, c, tilt=0.14)),
    "photo, paper curled 1.5 mm": ("mixed", lambda g, c: photo(g, c, curl=1.5)),
    "3°, noise, JPEG 40, stains, contrast": ("mixed", all_at_once),
    "light pencil": ("light", lambda g, c: resized(g, 200)),
    "light pencil, JPEG 40, 150 dpi": ("light", lambda g, c: jpeg(resized(g, 150), 40)),
    "crosses": ("cross", lambda g, c: resized(g, 200)),
    "ticks": ("tick", lambda g, c: resized(g, 200)),
    "half filled": ("half", lambda g, c: resized(g, 200)),
    "circled": ("circled", lambda g, c: resized(g, 200)),
    "crossed out, other filled": ("crossed, other", lambda g, c: resized(g, 200)),
    "crossed out, letter in box": ("crossed, box", lambda g, c: resized(g, 200)),
    "dots": ("dot", lambda g, c: resized(g, 200)),
}


def glared(g: Page, c: Chance) -> Page:
    """A lamp mirrored in the page: everything in it is white."""
    o = photo(g, c).astype(np.float32)
    y, x = np.mgrid[0 : o.shape[0], 0 : o.shape[1]]
    far = np.hypot(x - c.uniform(0.3, 0.7) * o.shape[1], y - c.uniform(0.3, 0.7) * o.shape[0])
    return np.clip(o + 260 * np.exp(-((far / (0.12 * o.shape[1])) ** 2)), 0, 255).astype(np.uint8)


def torn(g: Page, c: Chance) -> Page:
    """A folded corner and two punched holes."""
    page = Image.fromarray(g)
    draw, far, (high, wide) = ImageDraw.Draw(page), 30 * MM, g.shape
    x, y = (0 if c.random() < 0.5 else wide), (0 if c.random() < 0.5 else high)
    draw.polygon([(x, y), (x + (far if x == 0 else -far), y), (x, y + (far if y == 0 else -far))], fill=120)
    for k in (-40, 40):
        draw.ellipse((8 * MM, high / 2 + (k - 3) * MM, 14 * MM, high / 2 + (k + 3) * MM), fill=20)
    return resized(np.asarray(page), 150)


def dithered(g: Page, c: Chance) -> Page:
    """A fax: 120 dpi, its greys as dots."""
    dots = Image.fromarray(resized(blurred(g, 1.5), 120)).convert("1", dither=Image.Dither.FLOYDSTEINBERG).convert("L")
    return np.asarray(dots.resize((dots.width * 2, dots.height * 2), Image.Resampling.NEAREST))


def doodled(g: Page, c: Chance) -> Page:
    """Scribbles all over the page."""
    page = Image.fromarray(g)
    draw = ImageDraw.Draw(page)
    for _ in range(12):
        steps = np.cumsum(np.vstack([c.uniform(0.05, 0.95, 2) * g.shape[::-1], c.normal(0, 60, (10, 2))]), 0)
        draw.line([tuple(p) for p in steps], fill=int(c.integers(30, 120)), width=int(c.integers(3, 8)))
    return resized(np.asarray(page), 150)


def stitched(g: Page, c: Chance) -> Page:
    """A hand scanner: bands of the page that lie beside each other by up to a millimetre."""
    o = resized(g, 200).copy()
    for y in c.integers(o.shape[0] // 6, o.shape[0] - 100, 3):
        o[y:] = np.roll(o[y:], int(c.integers(-9, 10)), 1)
    return o


UNFORESEEN: dict[str, Condition] = {
    "fax": ("mixed", dithered),
    "doodles": ("mixed", doodled),
    "hand scanner": ("mixed", stitched),
    "glare": ("mixed", glared),
    "folded corner, holes": ("mixed", torn),
}
ALL = {**ORDINARY, **NOISY, **HARD, **UNFORESEEN}
assert math.isclose(MM, 11.811, abs_tol=0.001)
