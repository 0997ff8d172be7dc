"""Texts of researchers in Markdown, on workers' pages and in previews of them."""

from django import template
from django.utils.safestring import SafeString

from annotation.messages.rich_text import as_html

register = template.Library()


@register.filter
def rich_text(text: str) -> SafeString:
    """The text as safe HTML; paragraphs and line breaks stay."""
    return as_html(str(text or ""))
