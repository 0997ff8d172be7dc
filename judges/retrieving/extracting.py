"""The article in a page: its title and its text, without navigation, banners and comments."""

import codecs
from email.message import Message

# What is kept of a text. No summary looks further.
LONGEST_TEXT = 200_000


def extracted(body: bytes, *, content_type: str, url: str = "") -> tuple[str, str]:
    """Title and text of a page; both may be empty, the text where the page has no article.

    content_type: the header's value; its charset is believed where there is one.
    """
    kind, charset = _type_and_charset(content_type)
    if kind == "text/plain":
        return "", _plain(body.decode(charset or "utf-8", errors="replace"))[:LONGEST_TEXT]
    page = body.decode(charset, errors="replace") if charset else body
    return _article(page, url)


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
    return _plain(found.title), _plain(found.text)[:LONGEST_TEXT]


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
