"""The split of a study and the looks at its sealed half as JSON."""

from rest_framework import serializers

from agreement.sequences.spending import error_spent
from api.serializers.related import RowSerializer
from workbench.models import Look, Split


class SplitSerializer(RowSerializer):
    development = serializers.IntegerField(help_text="Sources of the development half.")
    sealed = serializers.IntegerField(help_text="Sources of the sealed half.")
    digest = serializers.CharField(help_text="SHA-256 over the keys of the sealed sources.")

    class Meta:
        model = Split
        fields = (
            *("seed", "share", "planned_looks", "error", "development", "sealed", "digest"),
            "made_at",
        )


class LookSerializer(RowSerializer):
    judge = serializers.SerializerMethodField(help_text="Name and version.")
    look = serializers.IntegerField(source="number", help_text="Which look of the study it is.")
    planned_looks = serializers.IntegerField(source="study.split.planned_looks")
    error_spent = serializers.SerializerMethodField(help_text="By this look and those before it.")
    figures = serializers.ListField(
        child=serializers.DictField(),
        help_text="Per facet the closeness to people with an interval; empty until its run ends.",
    )

    class Meta:
        model = Look
        fields = (
            *("id", "judge", "look", "planned_looks", "error_spent", "figures"),
            *("run", "looked_at"),
        )

    def get_judge(self, look: Look) -> str:
        return f"{look.rater.name}@{look.rater.version}"

    def get_error_spent(self, look: Look) -> float:
        split = look.study.split
        return error_spent(look.number, split.planned_looks, split.error)
