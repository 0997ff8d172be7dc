"""Actions on units, controls, exclusions, adjudication and background work as JSON."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.models import AdjudicationCase, ExclusionRule, GoldAnswer, Unit
from api.serializers.related import RowSerializer, by_whom, text_of
from desk.data.adjudication.pages import side_by_side
from desk.models import SavedView, UnitAction
from jobs.kinds import kinds
from jobs.models import Job, JobState


class JobSerializer(RowSerializer):
    title = serializers.SerializerMethodField(help_text="What is done.")
    about = serializers.SerializerMethodField(help_text="By which parameters, in words.")
    said = serializers.SerializerMethodField(
        help_text="What was done, or why nothing was, in a sentence."
    )

    class Meta:
        model = Job
        fields = ("id", "kind", "title", "about", "state", "reason", "said", "asked_at", "ended_at")

    def get_title(self, job: Job) -> str:
        return str(kinds()[job.kind].title)

    def get_about(self, job: Job) -> str:
        return kinds()[job.kind].words(job)

    def get_said(self, job: Job) -> str:
        outcome = job.outcome if isinstance(job.outcome, dict) else {}
        return str(outcome.get("done") or outcome.get("refused") or "")


class UnitActionSerializer(RowSerializer):
    done = serializers.IntegerField(read_only=True, help_text="How many of the units are done.")
    changed = serializers.IntegerField(
        read_only=True, help_text="For how many it made a difference."
    )
    undoes = serializers.IntegerField(
        source="undoes_id", read_only=True, allow_null=True, help_text="The action it takes back."
    )
    by = by_whom()

    class Meta:
        model = UnitAction
        fields = (
            *("id", "kind", "parameters", "query", "n_units", "done", "changed", "undoes", "by"),
            *("proposed_at", "confirmed_at", "ended_at"),
        )


class SavedViewSerializer(RowSerializer):
    by = by_whom("owner")

    class Meta:
        model = SavedView
        fields = ("id", "name", "query", "shared", "by", "created_at")


class ControlSerializer(RowSerializer):
    source = text_of("source.key", "Key of the source.")
    round = serializers.SerializerMethodField(help_text="The round whose batches it is in.")
    made_from = serializers.SerializerMethodField(help_text="Key of the unit it was made from.")

    class Meta:
        model = Unit
        fields = (
            *("id", "key", "source", "role", "check_state", "round", "made_from", "reasons"),
            "checked_at",
        )

    def get_round(self, unit: Unit) -> str:
        return str((unit.proposal or {}).get("round", ""))

    def get_made_from(self, unit: Unit) -> str:
        return str((unit.proposal or {}).get("made_from", ""))


class ExclusionSerializer(RowSerializer):
    by = by_whom()

    class Meta:
        model = ExclusionRule
        fields: tuple[str, ...] = (
            *("id", "conditions", "text", "outcome", "revision", "by", "at"),
            *("applied_at", "undone_at"),
        )


class PreviewSerializer(serializers.Serializer[Any]):
    seen = serializers.CharField(help_text="To be sent to apply what this shows, and nothing else.")
    workers = serializers.ListField(
        child=serializers.DictField(), help_text="Whom it describes, and why."
    )
    batches = serializers.IntegerField()
    answers = serializers.IntegerField(help_text="Counted answers that it would exclude.")
    outdated = serializers.BooleanField(help_text="Whether answers have changed since.")


class ExclusionPreviewSerializer(ExclusionSerializer):
    preview = PreviewSerializer(
        allow_null=True,
        read_only=True,
        help_text="What it would do now; null while that is worked out, and once it is applied.",
    )

    class Meta:
        model = ExclusionRule
        fields = (*ExclusionSerializer.Meta.fields, "preview")


class CaseSerializer(RowSerializer):
    unit = serializers.SerializerMethodField(help_text="Key of the unit; empty while it is blind.")
    block = text_of("question.block.key", "Key of the block.")
    holder = serializers.SerializerMethodField(help_text="User name of who has it now.")

    class Meta:
        model = AdjudicationCase
        fields: tuple[str, ...] = (
            *("id", "unit", "block", "why", "state", "score", "holder", "held_until"),
            *("reason", "revealed_at", "created_at", "ended_at"),
        )

    def get_unit(self, case: AdjudicationCase) -> str:
        # A key may hold the name of a system.
        return "" if case.is_blind else case.question.unit.key

    def get_holder(self, case: AdjudicationCase) -> str:
        held = case.holder is not None and case.is_held_by(case.holder, timezone.now())
        return case.holder.get_username() if held and case.holder is not None else ""


class CaseWithAnswersSerializer(CaseSerializer):
    question = serializers.SerializerMethodField(help_text="The payload, as it is shown.")
    answers = serializers.SerializerMethodField(
        help_text="Those that were given, in an order that says nothing; `rater` and `kind` are "
        "empty while the case is blind."
    )

    class Meta:
        model = AdjudicationCase
        fields = (*CaseSerializer.Meta.fields, "question", "answers")

    @extend_schema_field({})
    def get_question(self, case: AdjudicationCase) -> Any:
        return case.question.payload

    def get_answers(self, case: AdjudicationCase) -> list[dict[str, Any]]:
        return [
            {
                "letter": each.letter,
                "answer": each.annotation.answer,
                "summary": each.summary,
                "texts": list(each.texts),
                "rater": each.who,
                "kind": each.kind,
                "excluded": each.is_excluded,
            }
            for each in side_by_side(case).candidates
        ]


class GoldSerializer(RowSerializer):
    unit = text_of("question.unit.key", "Key of the unit.")
    block = text_of("question.block.key", "Key of the block.")
    by = by_whom()

    class Meta:
        model = GoldAnswer
        fields = ("id", "unit", "block", "answer", "reason", "blind", "by", "at")


class GoldOutcomeSerializer(serializers.Serializer[Any]):
    state = serializers.ChoiceField(choices=[*JobState.values, ""])
    outdated = serializers.BooleanField(help_text="Whether answers have changed since.")
    figures = serializers.DictField(allow_null=True, help_text="Null until they are counted.")
