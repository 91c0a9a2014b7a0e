// Words of an answer sheet that lie on others or run out of it.
(() => {
  const svg = document.querySelector('.sheet svg'), wide = svg.viewBox.baseVal.width;
  const texts = Array.from(svg.querySelectorAll('text:not([text-anchor=middle])')).map((t) => [t.textContent, t.getBBox()]);
  const apart = (a, b) => a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height * 0.8 <= b.y || b.y + b.height * 0.8 <= a.y;
  const found = texts.filter(([, a]) => a.x < 0 || a.x + a.width > wide).map(([t]) => t);
  texts.forEach(([t, a], n) => texts.slice(n + 1).forEach(([u, b]) => apart(a, b) || found.push(t + ' / ' + u)));
  return found;
})()
