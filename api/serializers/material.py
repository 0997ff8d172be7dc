"""Studies, their material and their rounds as JSON."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.models import Item, Preparation, Question, Round, Source, Study, Unit
from api.serializers.related import RowSerializer, text_of
from imports.study_file.doors import Door
from imports.study_file.study_fields import shown_at


class StudySerializer(RowSerializer):
    paused = serializers.SerializerMethodField()
    role = serializers.SerializerMethodField(help_text="Of the token's owner.")

    class Meta:
        model = Study
        fields = (
            *shown_at(Door.API),
            *("state", "paused", "role", "revision", "created_at", "archived_at"),
        )

    def get_paused(self, study: Study) -> bool:
        return study.paused_at is not None

    def get_role(self, study: Study) -> str:
        return str(getattr(study, "role", "") or (study.viewer.role if study.viewer else ""))


class SourceSerializer(RowSerializer):
    class Meta:
        model = Source
        fields = (
            *("id", "key", "claim", "verdict", "passages", "chains"),
            *("document", "query", "nuggets", "turns", "metadata"),
        )


class ItemSerializer(RowSerializer):
    source = text_of("source.key", "Key of the source.")
    text = serializers.CharField(
        read_only=True, help_text="Its sentences as one text, as it was written."
    )

    class Meta:
        model = Item
        fields = (
            *("id", "key", "source", "system", "system_family", "evidence_source"),
            *("condition", "text", "sentences", "metadata"),
        )


class UnitSerializer(RowSerializer):
    source = text_of("source.key", "Key of the source.")
    items = serializers.SerializerMethodField(help_text="Keys of the items, as they are shown.")
    subsets = serializers.SerializerMethodField()

    class Meta:
        model = Unit
        fields = (
            *("id", "key", "source", "items", "role", "subsets", "focus", "check_state"),
            *("retired_at", "metadata"),
        )

    def get_items(self, unit: Unit) -> list[str]:
        return [row.item.key for row in unit.unit_items.all()]

    def get_subsets(self, unit: Unit) -> list[str]:
        return sorted(subset.name for subset in unit.subsets.all())


class QuestionSerializer(RowSerializer):
    unit = text_of("unit.key", "Key of the unit.")
    block = text_of("block.key", "Key of the block.")
    reference = serializers.SerializerMethodField(help_text="The right answer, where one is known.")

    class Meta:
        model = Question
        fields = ("id", "unit", "block", "payload", "reference")

    @extend_schema_field({})
    def get_reference(self, question: Question) -> Any:
        return question.reference


class RoundSerializer(RowSerializer):
    class Meta:
        model = Round
        fields = (
            *("id", "position", "name", "counts", "shows_answers", "normal_per_batch"),
            *("positive_per_batch", "negative_per_batch", "pass_accuracy", "keep_accuracy"),
            *("expected_minutes", "base_pay", "bonus_pay", "currency"),
        )


class ListSerializer(RowSerializer):
    block = text_of("block.key", "Key of the block.")
    source = text_of("source.key", "Key of the source.")
    item = serializers.CharField(
        source="item.key", read_only=True, allow_null=True, help_text="Null: it is of the source."
    )

    class Meta:
        model = Preparation
        fields = (
            *("id", "block", "source", "item", "entries", "state", "version", "provenance"),
            *("proposed_at", "decided_at"),
        )
