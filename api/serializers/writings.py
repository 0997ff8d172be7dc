"""What models write for a study, as JSON."""

from typing import Any

from rest_framework import serializers

from api.serializers.data import JobSerializer
from jobs.models import Job


class WritingSerializer(JobSerializer):
    done = serializers.SerializerMethodField(help_text="How many have come to an end.")
    total = serializers.SerializerMethodField(help_text="How many are to be written.")
    spent = serializers.SerializerMethodField(help_text="In USD; null where it is not known.")
    shares = serializers.SerializerMethodField(
        help_text="What came of each model, with why what is missing has failed; empty until it "
        "has ended."
    )

    class Meta:
        model = Job
        fields = (*JobSerializer.Meta.fields, "done", "total", "spent", "shares")

    def get_done(self, job: Job) -> int:
        return int(job.progress.get("done", 0))

    def get_total(self, job: Job) -> int:
        return int(job.progress.get("total", 0))

    def get_spent(self, job: Job) -> str | None:
        spent = (job.outcome or job.progress).get("spent")
        return None if spent is None else str(spent)

    def get_shares(self, job: Job) -> list[dict[str, Any]]:
        return list((job.outcome or {}).get("shares", []))


class PlannedShareSerializer(serializers.Serializer[Any]):
    system = serializers.CharField(source="share.writer.system")
    model = serializers.CharField(source="share.writer.model")
    number = serializers.IntegerField(source="forecast.answers", help_text="To be written.")
    existing = serializers.IntegerField(source="share.existing", help_text="There already.")
    left_out = serializers.ListField(source="share.left_out", child=serializers.CharField())


class WritingPlanSerializer(serializers.Serializer[Any]):
    shares = PlannedShareSerializer(many=True)
    calls = serializers.IntegerField(source="total.calls")
    tokens_in = serializers.IntegerField(source="total.tokens_in", allow_null=True)
    tokens_out = serializers.IntegerField(source="total.tokens_out", allow_null=True)
    expected_usd = serializers.DecimalField(
        source="total.usd", max_digits=16, decimal_places=9, allow_null=True
    )
    cap = serializers.DecimalField(
        max_digits=12, decimal_places=6, allow_null=True, help_text="USD; null: no limit."
    )
