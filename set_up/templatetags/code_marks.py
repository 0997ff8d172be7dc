"""Names of columns and the like within sentences, which stand between backticks."""

from django import template
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.filter
def in_code(text: str) -> SafeString:
    """The text with what stands between backticks as code; everything is escaped."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return conditional_escape(text)
    marked = (
        format_html("<code>{}</code>", piece) if n % 2 else conditional_escape(piece)
        for n, piece in enumerate(pieces)
    )
    return mark_safe("".join(marked))  # noqa: S308 (each piece is escaped)
