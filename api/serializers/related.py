"""What the rows of the API have in common."""

from typing import Any

from rest_framework import serializers


# A row as it is shown: nothing of it is written. A docstring would stand in the schema of each.
class RowSerializer(serializers.ModelSerializer[Any]):
    def get_extra_kwargs(self) -> dict[str, dict[str, Any]]:
        """For each field that it is read only."""
        return {name: {"read_only": True} for name in self.Meta.fields}


def text_of(path: str, about: str = "") -> serializers.CharField:
    """A text of another row."""
    return serializers.CharField(source=path, read_only=True, help_text=about)
