"""Requests, replies and answers of judges as text for readers."""

from typing import Any

from django import template

from judges.runs.records.texts import readable

register = template.Library()


@register.filter
def as_text(value: Any) -> str:
    """The value as text: messages with their roles, objects as JSON."""
    return readable(value)
