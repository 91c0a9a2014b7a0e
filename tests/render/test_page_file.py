"""A page to a file of a person's choice: whole, or what was there stays."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from quizgen.render.page_file import write_page


def test_a_page_takes_the_place_of_an_older_one(tmp_path: Path) -> None:
    page = tmp_path / "d.html"
    for text in ("first", "second é"):
        write_page(page, text)
        assert page.read_text(encoding="utf-8") == text
    assert [p.name for p in tmp_path.iterdir()] == ["d.html"]


def test_a_full_disk_leaves_the_older_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "d.html"
    write_page(page, "first")
    whole = Path.write_text

    def full(self: Path, text: str, encoding: str) -> int:
        whole(self, text[:3], encoding=encoding)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space left"):
        write_page(page, "second")
    assert page.read_bytes() == b"first"
    assert [p.name for p in tmp_path.iterdir()] == ["d.html"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    link = tmp_path / "link.html"
    link.symlink_to(tmp_path / "d.html")
    for text in ("first", "second"):
        write_page(link, text)
        assert link.is_symlink()
        assert (tmp_path / "d.html").read_text(encoding="utf-8") == text


def test_a_device_is_written_in_place() -> None:
    write_page(Path("/dev/null"), "gone")
    assert not Path("/dev/null").is_file()
