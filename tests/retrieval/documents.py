"""Small PDFs."""

import io
from collections.abc import Sequence

from pypdf import PdfWriter


def pdf(pages: Sequence[str], *, title: str = "", password: str = "") -> bytes:
    """A PDF with a line of text on each page; an empty one has no text."""
    n, objects = len(pages), list[str]()
    kids = " ".join(f"{3 + 2 * number} 0 R" for number in range(n))
    objects.append("<< /Type /Catalog /Pages 2 0 R >>")
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {n} >>")
    font = "<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
    for number, text in enumerate(pages):
        stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET" if text else ""
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources {font}"
            f" /Contents {4 + 2 * number} 0 R >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    body, offsets = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n".encode()
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    end = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF\n"
    body += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{end}".encode()
    return _written(body, title, password) if title or password else body


def _written(body: bytes, title: str, password: str) -> bytes:
    writer, out = PdfWriter(clone_from=io.BytesIO(body)), io.BytesIO()
    if title:
        writer.add_metadata({"/Title": title})
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    writer.write(out)
    return out.getvalue()
