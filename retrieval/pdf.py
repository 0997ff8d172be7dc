"""The text of a PDF, within a limit of pages."""

import io

# How many pages of a PDF are read.
MOST_PAGES = 60


class Unreadable(Exception):
    """There is no text to be had; the message says why."""


def pdf_text(body: bytes, *, longest: int) -> tuple[str, str]:
    """Title and text of a PDF; Unreadable where it is encrypted, broken or holds only pictures."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(io.BytesIO(body))
        if reader.is_encrypted:
            raise Unreadable("the PDF is encrypted")
        title = str(reader.metadata.title or "") if reader.metadata else ""
        text = ""
        for page in reader.pages[:MOST_PAGES]:
            text += page.extract_text() + "\n"
            if len(text) > longest:
                break
    except PyPdfError as error:
        raise Unreadable("the PDF is broken") from error
    if not any(map(str.isalnum, text)):
        raise Unreadable("the PDF holds no text, as one that was scanned")
    return title, text


def pdf_extractor() -> str:
    """The name and version of what reads PDFs."""
    from importlib.metadata import version

    return f"pypdf {version('pypdf')}"
