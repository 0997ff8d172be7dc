"""Links to results, registrations, rules of stopping and datasheets as JSON."""

from typing import Any, cast

from django.http import HttpRequest
from django.urls import reverse
from rest_framework import serializers

from api.serializers.related import RowSerializer
from results.models import Registration, ResultsLink


class ResultsLinkSerializer(RowSerializer):
    link = serializers.SerializerMethodField(help_text="Whoever has it may read the results.")

    class Meta:
        model = ResultsLink
        fields = ("id", "link", "created_at", "revoked_at")

    def get_link(self, link: ResultsLink) -> str:
        request = cast(HttpRequest, self.context["request"])
        return request.build_absolute_uri(reverse("results:shared", args=[link.token]))


class RegistrationSerializer(RowSerializer):
    sha256 = serializers.CharField(
        source="digest", read_only=True, help_text="Over all that was registered."
    )

    class Meta:
        model = Registration
        fields = ("id", "sha256", "answers", "reason", "registered_at")


class StopRuleSerializer(serializers.Serializer[Any]):
    rule = serializers.DictField(help_text="Empty: none.")
    stops = serializers.ListField(
        child=serializers.DictField(), help_text="Each time that a rule closed the study."
    )


class SheetSerializer(serializers.Serializer[Any]):
    sections = serializers.ListField(
        child=serializers.DictField(), help_text="The parts, with questions and answers."
    )
