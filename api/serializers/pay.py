"""What a study owes, payment files and workers' statements as JSON."""

from typing import Any

from rest_framework import serializers

from annotation.models import LedgerRow
from api.serializers.related import RowSerializer


def amount(about: str = "") -> serializers.DecimalField:
    """A sum of money, as text."""
    return serializers.DecimalField(max_digits=12, decimal_places=2, help_text=about)


class TotalsSerializer(serializers.Serializer[Any]):
    currency = serializers.CharField()
    base = amount()
    bonus = amount()
    adjustment = amount()
    total = amount()
    filed = amount("The part that has been in a payment file.")


class OwedSerializer(serializers.Serializer[Any]):
    panel = serializers.CharField(help_text="Where the workers came from.")
    currency = serializers.CharField()
    workers = serializers.IntegerField()
    total = amount()
    unpayable = serializers.IntegerField(help_text="Workers without an id that can be paid.")
    in_debt = serializers.IntegerField(help_text="Workers whose adjustments outweigh their pay.")


class PaySerializer(serializers.Serializer[Any]):
    covers = serializers.CharField()
    totals = TotalsSerializer(many=True)
    owed = OwedSerializer(many=True, help_text="What has been in no file yet.")


class PayFileSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(help_text="Microseconds since 1970: when it was made.")
    made_at = serializers.DateTimeField()
    panel = serializers.CharField()
    currency = serializers.CharField()
    workers = serializers.IntegerField()
    total = amount()
    file = serializers.CharField(help_text="Where its lines are.")


class PayFilesSerializer(serializers.Serializer[Any]):
    results = PayFileSerializer(many=True)


class PaidWorkerSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(
        source="participation.number", help_text="The number in the worker's pseudonym."
    )
    worker = serializers.CharField(source="participation.pseudonym")
    totals = TotalsSerializer(many=True)


class LedgerRowSerializer(RowSerializer):
    class Meta:
        model = LedgerRow
        fields = ("id", "kind", "amount", "currency", "note", "exported_at", "created_at")


class StatementSerializer(serializers.Serializer[Any]):
    worker = serializers.CharField()
    rows = LedgerRowSerializer(many=True)
