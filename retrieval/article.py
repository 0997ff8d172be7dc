"""The article in a page: its title and its text, without navigation, banners and comments."""

import codecs
import json
import logging
from email.message import Message
from importlib.util import find_spec
from typing import Any, AnyStr

from retrieval.page import JSON, PDF, PLAIN
from retrieval.pdf import pdf_extractor, pdf_text

# How much of a text is kept; no summary uses more.
LONGEST_TEXT = 200_000
# Beyond so many elements a page is cut: a larger one takes many seconds, and its text would be cut.
MOST_ELEMENTS = 15_000
# trafilatura looks for a sign of HTML in so many characters.
_HEAD = 50
# The byte order marks of UTF-16.
_MARKED = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# A page without text is a result, not an error to log.
logging.getLogger("trafilatura").setLevel(logging.CRITICAL)


def missing_readers() -> list[str]:
    """The packages of the extra `pages` that are not installed."""
    return [name for name in ("trafilatura", "pypdf", "protego") if find_spec(name) is None]


def extracted(body: bytes, *, content_type: str, url: str = "") -> tuple[str, str]:
    """Title and text of a page; both may be empty, the text where the page has no article.

    content_type: the value of the header; its charset is used where there is one. Unreadable where
    the reason why there is no text is known.
    """
    kind, charset = _type_and_charset(content_type)
    if kind in PDF:
        title, text = pdf_text(body, longest=LONGEST_TEXT)
        return _plain(title), _plain(text)[:LONGEST_TEXT]
    if kind in (*PLAIN, *JSON):
        text = body.decode(charset or "utf-8", errors="replace")
        return "", _plain(_laid_out(text) if kind in JSON else text)[:LONGEST_TEXT]
    if charset:
        return _article(_with_html_tag(body.decode(charset, errors="replace")), url)
    return _article(body if body.startswith(_MARKED) else _with_html_tag(body), url)


def extractor(content_type: str) -> str:
    """The name and version of the extractor: another version may extract another text."""
    from importlib.metadata import version

    if _type_and_charset(content_type)[0] in PDF:
        return pdf_extractor()
    return f"trafilatura {version('trafilatura')}"


def _article(page: str | bytes, url: str) -> tuple[str, str]:
    import trafilatura

    tree = trafilatura.load_html(page)
    if tree is None:
        return "", ""
    _cut(tree)
    document = trafilatura.bare_extraction(
        tree,
        url=url or None,
        include_comments=False,
        with_metadata=True,
        # What it shows without scripts, such as "please enable JavaScript", is no article.
        prune_xpath="//noscript",
    )
    if document is None:
        return "", ""
    assert not isinstance(document, dict)  # only with `as_dict`
    text = _plain(document.text)[:LONGEST_TEXT]
    return _plain(document.title), text if any(map(str.isalnum, text)) else ""


def _cut(tree: Any) -> None:
    """Remove all elements of lxml's tree after the first ones, in the order of the document."""
    for element in list(tree.iter())[MOST_ELEMENTS:]:
        parent = element.getparent()
        if parent is not None:
            parent.remove(element)


def _laid_out(text: str) -> str:
    """JSON with a line for each value and its letters unescaped; other text as it is."""
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=1)
    except (ValueError, RecursionError):
        return text


def _with_html_tag(page: AnyStr) -> AnyStr:
    """The page, with an `<html>` before it where that is missing: trafilatura insists on one."""
    tag, sign = ("<html>", "html") if isinstance(page, str) else (b"<html>", b"html")
    return page if sign in page[:_HEAD].lower() else tag + page


def _plain(text: str | None) -> str:
    """Without null characters and halves of pairs of UTF-16, which PostgreSQL refuses."""
    return (text or "").replace("\0", "").encode(errors="replace").decode().strip()


def _type_and_charset(content_type: str) -> tuple[str, str]:
    header = Message()
    header["content-type"] = content_type.replace("\n", " ").replace("\r", " ")
    charset = header.get_content_charset() or ""
    try:
        codecs.lookup(charset)
    except LookupError:
        charset = ""
    return header.get_content_type() if content_type else "text/html", charset
