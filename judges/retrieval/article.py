"""The article in a page: its title and its text, without navigation, banners and comments."""

import codecs
import logging
from email.message import Message
from typing import AnyStr

# How much of a text is kept; no summary uses more.
LONGEST_TEXT = 200_000
# trafilatura looks for a sign of HTML in so many characters.
_HEAD = 50
# The byte order marks of UTF-16.
_MARKED = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# A page without text is a result, not an error to log.
logging.getLogger("trafilatura").setLevel(logging.CRITICAL)


def extracted(body: bytes, *, content_type: str, url: str = "") -> tuple[str, str]:
    """Title and text of a page; both may be empty, the text where the page has no article.

    content_type: the value of the header; its charset is used where there is one.
    """
    kind, charset = _type_and_charset(content_type)
    if kind == "text/plain":
        return "", _plain(body.decode(charset or "utf-8", errors="replace"))[:LONGEST_TEXT]
    if charset:
        return _article(_with_html_tag(body.decode(charset, errors="replace")), url)
    return _article(body if body.startswith(_MARKED) else _with_html_tag(body), url)


def extractor() -> str:
    """The name and version of the extractor: another version may extract another text."""
    from importlib.metadata import version

    return f"trafilatura {version('trafilatura')}"


def _article(page: str | bytes, url: str) -> tuple[str, str]:
    import trafilatura

    document = trafilatura.bare_extraction(
        page,
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


def _with_html_tag(page: AnyStr) -> AnyStr:
    """The page, with an `<html>` before it where that is missing: trafilatura insists on one."""
    tag, sign = ("<html>", "html") if isinstance(page, str) else (b"<html>", b"html")
    return page if sign in page[:_HEAD].lower() else tag + page


def _plain(text: str | None) -> str:
    """Without null characters, which HTML allows and PostgreSQL refuses."""
    return (text or "").replace("\0", "").strip()


def _type_and_charset(content_type: str) -> tuple[str, str]:
    header = Message()
    header["content-type"] = content_type.replace("\n", " ").replace("\r", " ")
    charset = header.get_content_charset() or ""
    try:
        codecs.lookup(charset)
    except LookupError:
        charset = ""
    return header.get_content_type() if content_type else "text/html", charset
