"""A text of another row, in the rows of the API."""

from rest_framework import serializers


def text_of(path: str, about: str = "") -> serializers.CharField:
    """A text of another row."""
    return serializers.CharField(source=path, read_only=True, help_text=about)
