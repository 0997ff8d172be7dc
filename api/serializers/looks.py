"""The split of a study and the looks at its sealed half as JSON."""

from typing import Any

from rest_framework import serializers

from agreement.sequences.spending import error_spent
from annotation.models import Rater
from api.serializers.related import RowSerializer
from workbench.loop import Flips
from workbench.models import Look, Split


class SplitSerializer(RowSerializer):
    development = serializers.IntegerField(help_text="Sources of the development half.")
    sealed = serializers.IntegerField(help_text="Sources of the sealed half.")
    digest = serializers.CharField(help_text="SHA-256 over the keys of the sealed sources.")

    class Meta:
        model = Split
        fields = (
            *("seed", "share", "planned_looks", "error", "development", "sealed", "digest"),
            *("made_at", "opened_at"),
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
        return _named(look.rater)

    def get_error_spent(self, look: Look) -> float:
        split = look.study.split
        return error_spent(look.number, split.planned_looks, split.error)


class VersionSerializer(RowSerializer):
    judge = serializers.SerializerMethodField(help_text="Name and version.")
    figures = serializers.SerializerMethodField(
        help_text="Per facet the closeness to people on the development half, with theirs to each "
        "other; null while the answers are being counted."
    )
    look = serializers.SerializerMethodField(help_text="Which look it had; null for none.")

    class Meta:
        model = Rater
        fields = ("id", "judge", "origin", "figures", "look")

    def get_judge(self, rater: Rater) -> str:
        return _named(rater)

    def get_figures(self, rater: Rater) -> list[dict[str, Any]] | None:
        found = self.context["view"].version(rater)
        return None if found is None else [figure.as_json() for figure in found.figures]

    def get_look(self, rater: Rater) -> int | None:
        found = self.context["view"].version(rater)
        return None if found is None or found.look is None else found.look.number


class FlippedSerializer(serializers.Serializer[Any]):
    unit = serializers.CharField(source="key")
    before = serializers.FloatField(help_text="Closeness to people by the earlier version.")
    now = serializers.FloatField(source="close")


class FlipsSerializer(serializers.Serializer[Any]):
    before = serializers.SerializerMethodField(help_text="Name and version.")
    now = serializers.SerializerMethodField()
    both = serializers.IntegerField(source="n_both", help_text="Units that both answered.")
    nearer = serializers.IntegerField(source="n_better", help_text="Nearer to people now.")
    farther = serializers.IntegerField(source="n_worse")
    units_nearer = FlippedSerializer(source="better", many=True, help_text="The first 20.")
    units_farther = FlippedSerializer(source="worse", many=True)

    def get_before(self, found: Flips) -> str:
        return _named(found.first.rater)

    def get_now(self, found: Flips) -> str:
        return _named(found.second.rater)


def _named(rater: Rater) -> str:
    return f"{rater.name}@{rater.version}"
