"""Rows of the API as JSON. People are called as on the pages: by pseudonyms."""

from typing import cast

from django.http import HttpRequest
from django.urls import reverse
from rest_framework import serializers

from annotation.models import (
    Annotation,
    Assignment,
    AssignmentUnit,
    Change,
    Invitation,
    Item,
    Question,
    Rater,
    Round,
    Source,
    Study,
    Unit,
)
from judges.models import Call, Judge, JudgeRun
from results.exporting import jobs
from results.models import ExportJob


def text_of(path: str, about: str = "") -> serializers.CharField:
    """A text of another row."""
    return serializers.CharField(source=path, read_only=True, help_text=about)


class StudySerializer(serializers.ModelSerializer):
    paused = serializers.SerializerMethodField()
    role = serializers.SerializerMethodField(help_text="Of the token's owner.")

    class Meta:
        model = Study
        fields = (
            *("slug", "title", "state", "paused", "role", "language", "overlap", "setting"),
            *("revision", "created_at"),
        )
        read_only_fields = fields

    def get_paused(self, study: Study) -> bool:
        return study.paused_at is not None

    def get_role(self, study: Study) -> str:
        return str(getattr(study, "role", "") or (study.viewer.role if study.viewer else ""))


class SourceSerializer(serializers.ModelSerializer):
    class Meta:
        model = Source
        fields = (
            *("id", "key", "claim", "verdict", "passages", "chains"),
            *("document", "query", "nuggets"),
        )
        read_only_fields = fields


class ItemSerializer(serializers.ModelSerializer):
    source = text_of("source.key", "Key of the source.")

    class Meta:
        model = Item
        fields = (
            *("id", "key", "source", "system", "system_family", "evidence_source"),
            *("condition", "sentences"),
        )
        read_only_fields = fields


class UnitSerializer(serializers.ModelSerializer):
    source = text_of("source.key", "Key of the source.")
    items = serializers.SerializerMethodField(help_text="Keys of the items, as they are shown.")
    subsets = serializers.SerializerMethodField()

    class Meta:
        model = Unit
        fields = (
            *("id", "key", "source", "items", "role", "subsets", "focus", "check_state"),
            "retired_at",
        )
        read_only_fields = fields

    def get_items(self, unit: Unit) -> list[str]:
        return [row.item.key for row in unit.unit_items.all()]

    def get_subsets(self, unit: Unit) -> list[str]:
        return sorted(subset.name for subset in unit.subsets.all())


class QuestionSerializer(serializers.ModelSerializer):
    unit = text_of("unit.key", "Key of the unit.")
    block = text_of("block.key", "Key of the block.")

    class Meta:
        model = Question
        fields = ("id", "unit", "block", "payload", "reference")
        read_only_fields = fields


class AnswerSerializer(serializers.ModelSerializer):
    unit = text_of("question.unit.key", "Key of the unit.")
    block = text_of("question.block.key", "Key of the block.")
    rater = text_of("rater.name")
    version = serializers.IntegerField(source="rater.version", read_only=True)
    kind = text_of("rater.kind")
    round = serializers.CharField(source="round.name", read_only=True, default=None)

    class Meta:
        model = Annotation
        fields = (
            *("id", "unit", "block", "rater", "version", "kind", "replicate", "answer", "round"),
            *("active_seconds", "surplus", "excluded_reason", "superseded_at", "withdrawn_at"),
            "created_at",
        )
        read_only_fields = fields


class RaterSerializer(serializers.ModelSerializer):
    class Meta:
        model = Rater
        fields = ("id", "name", "version", "kind", "origin", "family")
        read_only_fields = fields


class RoundSerializer(serializers.ModelSerializer):
    class Meta:
        model = Round
        fields = (
            *("id", "position", "name", "counts", "shows_answers", "normal_per_batch"),
            *("positive_per_batch", "negative_per_batch", "pass_accuracy", "keep_accuracy"),
            *("expected_minutes", "base_pay", "bonus_pay", "currency"),
        )
        read_only_fields = fields


class InvitationSerializer(serializers.ModelSerializer):
    personal = serializers.SerializerMethodField()
    round = serializers.CharField(source="round.name", read_only=True, default=None)
    link = serializers.SerializerMethodField()

    class Meta:
        model = Invitation
        fields = (
            *("id", "link", "personal", "round", "max_uses", "uses", "note"),
            *("created_at", "ended_at"),
        )
        read_only_fields = fields

    def get_personal(self, invitation: Invitation) -> bool:
        return invitation.worker_id is not None

    def get_link(self, invitation: Invitation) -> str:
        request = cast(HttpRequest, self.context["request"])
        return request.build_absolute_uri(reverse("annotation:join", args=[invitation.token]))


class JudgeSerializer(serializers.ModelSerializer):
    class Meta:
        model = Judge
        fields = (
            *("id", "name", "version", "method", "backend", "model", "family"),
            *("parameters", "created_at"),
        )
        read_only_fields = fields


class RunSerializer(serializers.ModelSerializer):
    judge = serializers.SerializerMethodField(help_text="Name and version.")

    class Meta:
        model = JudgeRun
        fields = (
            *("id", "judge", "subset", "blocks", "replicates", "seed", "state", "reason"),
            *("n_calls", "max_cost", "spent", "code_version", "created_at", "ended_at"),
        )
        read_only_fields = fields

    def get_judge(self, run: JudgeRun) -> str:
        return str(run.judge)


class CallSerializer(serializers.ModelSerializer):
    run = serializers.IntegerField(source="run_id", read_only=True)
    unit = text_of("question.unit.key", "Key of the unit.")
    block = text_of("question.block.key", "Key of the block.")

    class Meta:
        model = Call
        fields = (
            *("id", "run", "unit", "block", "replicate", "sample", "status", "attempts", "step"),
            *("prompt_hash", "request", "reply", "error", "tokens_in", "tokens_out", "cost"),
            *("latency_ms", "finished_at"),
        )
        read_only_fields = fields


class ProblemSerializer(serializers.ModelSerializer):
    unit = text_of("unit.key", "Key of the unit.")
    worker = text_of("assignment.participation.pseudonym")
    round = text_of("assignment.round.name")

    class Meta:
        model = AssignmentUnit
        fields = ("id", "unit", "worker", "round", "problem")
        read_only_fields = fields


class ReviewSerializer(serializers.ModelSerializer):
    worker = text_of("participation.pseudonym")
    round = text_of("round.name")

    class Meta:
        model = Assignment
        fields = (
            *("id", "worker", "round", "verdict", "late", "comment", "feedback"),
            *("leased_at", "submitted_at"),
        )
        read_only_fields = fields


class ExportSerializer(serializers.ModelSerializer):
    file = serializers.SerializerMethodField(help_text="Where its file is, once it is done.")

    class Meta:
        model = ExportJob
        fields = (
            *("id", "format_name", "choice", "state", "reason", "lines", "size"),
            *("asked_at", "ended_at", "file"),
        )
        read_only_fields = fields

    def get_file(self, job: ExportJob) -> str | None:
        if job.state != ExportJob.State.DONE or not jobs.path_of(job).is_file():
            return None
        request = cast(HttpRequest, self.context["request"])
        slug = self.context["request"].parser_context["kwargs"]["slug"]
        return request.build_absolute_uri(reverse("desk:api:export-file", args=[slug, job.pk]))


class EventSerializer(serializers.ModelSerializer):
    by = serializers.SerializerMethodField(help_text="User name; empty for commands and rules.")

    class Meta:
        model = Change
        fields = ("id", "at", "by", "action", "subject", "detail")
        read_only_fields = fields

    def get_by(self, change: Change) -> str:
        return "" if change.by is None else change.by.get_username()
