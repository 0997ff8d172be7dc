"""Pages that stand alone: their styles lie in them, and they ask nobody for anything."""

from django.conf import settings


def style_sheets(*names: str) -> str:
    """These style sheets as one, without fonts."""
    folder = settings.BASE_DIR / "static" / "css"
    return "\n".join((folder / f"{name}.css").read_text(encoding="utf-8") for name in names)
