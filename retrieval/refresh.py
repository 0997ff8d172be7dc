"""Pages that only say where the page is: `<meta http-equiv="refresh" content="0; url=…">`."""

import html
import re

# Such a page is short, or says it at its beginning; one that waits longer is a page of its own.
_HEAD, _MOST_SECONDS = 20_000, 10
# Not what a reader with scripts gets.
_HIDDEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<(noscript|script|style|template)\b.*?(?:</\1\s*>|\Z)", re.I | re.S
)
# With bounds, so that no page can make the search slow.
_META = re.compile(r"<meta\b([^<>]{0,2000})>", re.I)
_ATTRIBUTE = re.compile(r"""([a-z-]{1,30})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.I)
_CONTENT = re.compile(r"""\s*(\d{1,9})(?:\.\d*)?\s*[;,\s]\s*(?:url\s*=)?\s*["']?([^"']*)""", re.I)


def refresh_target(body: bytes) -> str:
    """Where a page of HTML sends its reader at once, as it is written there; empty if nowhere."""
    head = _HIDDEN.sub("", body[:_HEAD].decode(errors="replace"))
    for tag in _META.finditer(head):
        attributes = {
            name.lower(): html.unescape("".join(values))
            for name, *values in _ATTRIBUTE.findall(tag[1])
        }
        if attributes.get("http-equiv", "").strip().lower() != "refresh":
            continue
        content = _CONTENT.match(attributes.get("content", ""))
        if content and int(content[1]) <= _MOST_SECONDS and content[2].strip():
            return content[2].strip()
    return ""
