"""Follow every link inside a folder of HTML pages: the file must be there, and the place in it.

    python tools/check_links.py build/docs

Nothing is fetched: links to other sites are left alone.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The places of a page, and where its links lead."""

    def __init__(self) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name == "id" or (name == "name" and tag == "a"):
                self.places.add(value or "")
            elif name in ("href", "src") and value is not None:
                self.links.append(value)


def read(file: Path) -> Page:
    page = Page()
    page.feed(file.read_text(encoding="utf-8"))
    return page


def broken_links(folder: Path) -> tuple[list[str], int]:
    """What is wrong, a line a link, and how many links were followed."""
    folder = folder.resolve()
    pages = {file: read(file) for file in sorted(folder.rglob("*.html"))}
    broken, followed = [], 0
    for file, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            followed += 1
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if target.is_dir():
                target /= "index.html"
            place = unquote(parts.fragment)
            wrong = None
            if not target.is_relative_to(folder) or not target.exists():
                wrong = "no such file"
            elif place and target in pages and place not in pages[target].places:
                wrong = "no such place in it"
            if wrong:
                broken.append(f"{file.relative_to(folder)}: {link}: {wrong}")
    return broken, followed


if __name__ == "__main__":
    found, n_links = broken_links(Path(sys.argv[1]))
    print("\n".join([*found, f"{n_links} links inside, {len(found)} broken"]))
    sys.exit(bool(found))
