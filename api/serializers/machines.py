"""Judges, their runs and calls, and exports as JSON."""

from typing import Any, cast

from django.http import HttpRequest
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.related import RowSerializer, text_of
from exports import jobs
from jobs.models import Job, JobState
from judges.models import Call, DriftCheck, Judge, JudgeRun, ProbeSet
from set_up.models import ImportJob


class JudgeSerializer(RowSerializer):
    class Meta:
        model = Judge
        fields = (
            *("id", "name", "version", "method", "backend", "model", "family"),
            *("parameters", "created_at"),
        )


class RunSerializer(RowSerializer):
    judge = serializers.SerializerMethodField(help_text="Name and version.")
    probe = serializers.BooleanField(
        source="is_probe", read_only=True, help_text="Whether its answers are part of no result."
    )

    class Meta:
        model = JudgeRun
        fields: tuple[str, ...] = (
            *("id", "judge", "subset", "probe", "blocks", "replicates", "seed", "state", "reason"),
            *("n_calls", "max_cost", "spent", "code_version", "created_at", "ended_at"),
        )

    def get_judge(self, run: JudgeRun) -> str:
        return str(run.judge)


class RunProgressSerializer(RunSerializer):
    n_done = serializers.SerializerMethodField(help_text="How many of its calls are done.")

    class Meta:
        model = JudgeRun
        fields = (*RunSerializer.Meta.fields, "n_done")

    def get_n_done(self, run: JudgeRun) -> int:
        return run.calls.exclude(status=Call.Status.PLANNED).count()


class CallSerializer(RowSerializer):
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


class TrialSerializer(serializers.Serializer[Any]):
    unit = serializers.CharField()
    prompts = serializers.DictField(
        child=serializers.CharField(), help_text="By step, as far as they are known before."
    )
    calls = serializers.IntegerField()
    expected_usd = serializers.DecimalField(max_digits=12, decimal_places=6, allow_null=True)


class TriedSerializer(TrialSerializer):
    replies = serializers.ListField(child=serializers.CharField())
    answer = serializers.DictField(allow_null=True, help_text="Null where none could be read.")
    usd = serializers.DecimalField(
        max_digits=12, decimal_places=6, allow_null=True, help_text="Paid; null: unknown."
    )


class CalibratedSerializer(serializers.Serializer[Any]):
    judge = JudgeSerializer()
    threshold = serializers.FloatField()


class DriftCheckSerializer(RowSerializer):
    run = serializers.IntegerField(source="run_id", read_only=True)

    class Meta:
        model = DriftCheck
        fields = ("run", "look", "found", "figures", "checked_at")


class ProbeSetSerializer(RowSerializer):
    judge = serializers.SerializerMethodField(help_text="Name and version.")
    checks = serializers.SerializerMethodField(help_text="One for each asking that has ended.")

    class Meta:
        model = ProbeSet
        fields = (
            *("id", "judge", "size", "subset", "seed", "every_days", "max_cost", "problem"),
            *("created_at", "checks"),
        )

    def get_judge(self, probe_set: ProbeSet) -> str:
        return str(probe_set.judge)

    @extend_schema_field(DriftCheckSerializer(many=True))
    def get_checks(self, probe_set: ProbeSet) -> Any:
        rows = DriftCheck.objects.filter(run__probe_set=probe_set)
        return DriftCheckSerializer(rows, many=True).data


class ExportSerializer(RowSerializer):
    format_name = serializers.CharField(source="parameters.format_name", read_only=True)
    choice = serializers.JSONField(source="parameters.choice", read_only=True)
    lines = serializers.SerializerMethodField(help_text="How many were written so far.")
    size = serializers.SerializerMethodField(help_text="Of its file, in bytes.")
    file = serializers.SerializerMethodField(help_text="Where its file is, once it is done.")

    class Meta:
        model = Job
        fields = (
            *("id", "format_name", "choice", "state", "reason", "lines", "size"),
            *("asked_at", "ended_at", "file"),
        )

    def get_lines(self, job: Job) -> int:
        return int(job.progress.get("lines", 0))

    def get_size(self, job: Job) -> int | None:
        return (job.outcome or {}).get("size")

    def get_file(self, job: Job) -> str | None:
        if job.state != JobState.DONE or not jobs.path_of(job).is_file():
            return None
        request = cast(HttpRequest, self.context["request"])
        slug = self.context["request"].parser_context["kwargs"]["slug"]
        return request.build_absolute_uri(reverse("api:exports-file", args=[slug, job.pk]))


class ImportSerializer(RowSerializer):
    title = serializers.CharField(read_only=True, help_text="Of the study.")
    format = serializers.CharField(source="format_name", read_only=True)
    slug = serializers.CharField(source="keys.slug", read_only=True, help_text="Of the study.")
    rows = serializers.IntegerField(read_only=True, help_text="Written so far.")
    skipped = serializers.IntegerField(read_only=True, help_text="Records that were left out.")
    made = serializers.SerializerMethodField(help_text="Whether the study is there.")

    class Meta:
        model = ImportJob
        fields = (
            *("id", "title", "slug", "format", "state", "reason", "rows", "skipped", "made"),
            *("asked_at", "ended_at"),
        )

    def get_made(self, job: ImportJob) -> bool:
        return job.study_id is not None
