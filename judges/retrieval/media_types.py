"""The types of pages that are read."""

HTML = ("text/html", "application/xhtml+xml")
PLAIN = ("text/plain", "text/markdown", "text/csv")
JSON = ("application/json", "application/ld+json")
PDF = ("application/pdf",)
READABLE = (*HTML, *PLAIN, *JSON, *PDF)


def media_type(content_type: str) -> str:
    """The type in a Content-Type header, without its parameters."""
    return content_type.partition(";")[0].strip().lower()
