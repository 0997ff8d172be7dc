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


def by_whom(field: str = "by") -> serializers.CharField:
    """The user name of an account; null where it is gone."""
    return serializers.CharField(
        source=f"{field}.username", read_only=True, allow_null=True, default=None,
        help_text="User name.",
    )  # fmt: skip


def study_slug() -> serializers.CharField:
    """The slug of the study of a row; null where it is of none."""
    return serializers.CharField(
        source="study.slug", read_only=True, allow_null=True, default=None,
        help_text="Slug of the study.",
    )  # fmt: skip
