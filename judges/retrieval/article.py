"""The article in a page: its title and its text, without navigation, banners and comments."""

import codecs
import logging
from email.message import Message
from typing import AnyStr

# What is kept of a text. No summary looks further.
LONGEST_TEXT = 200_000
# Where the reader looks for a sign that it has HTML before it.
_HEAD = 50
# A text in two bytes a letter, which says so itself.
_MARKED = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# A page without text is a finding, not an error of ours to be logged.
logging.getLogger("trafilatura").setLevel(logging.CRITICAL)


def extracted(body: bytes, *, content_type: str, url: str = "") -> tuple[str, str]:
    """Title and text of a page; both may be empty, the text where the page has no article.

    content_type: the header's value; its charset is believed where there is one.
    """
    kind, charset = _type_and_charset(content_type)
    if kind == "text/plain":
        return "", _plain(body.decode(charset or "utf-8", errors="replace"))[:LONGEST_TEXT]
    if charset:
        return _article(_begun(body.decode(charset, errors="replace")), url)
    return _article(body if body.startswith(_MARKED) else _begun(body), url)


def extractor() -> str:
    """What reads the pages, with its version: another version may read them otherwise."""
    from importlib.metadata import version

    return f"trafilatura {version('trafilatura')}"


def _article(page: str | bytes, url: str) -> tuple[str, str]:
    import trafilatura

    found = trafilatura.bare_extraction(
        page,
        url=url or None,
        include_comments=False,
        with_metadata=True,
        # For readers without scripts: "please enable JavaScript" is no article.
        prune_xpath="//noscript",
    )
    if found is None:
        return "", ""
    assert not isinstance(found, dict)  # only asked for otherwise
    text = _plain(found.text)[:LONGEST_TEXT]
    return _plain(found.title), text if any(map(str.isalnum, text)) else ""


def _begun(page: AnyStr) -> AnyStr:
    """The page with its first tag: who leaves that out has still sent a page."""
    tag, sign = ("<html>", "html") if isinstance(page, str) else (b"<html>", b"html")
    return page if sign in page[:_HEAD].lower() else tag + page


def _plain(text: str | None) -> str:
    """A null character is text to HTML, but not to every database."""
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
