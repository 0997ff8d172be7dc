"""Answers, raters and what concerns workers as JSON. People are called as on the pages: by
pseudonyms."""

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
    Rater,
)
from api.serializers.related import RowSerializer, text_of


class AnswerSerializer(RowSerializer):
    unit = text_of("question.unit.key", "Key of the unit.")
    block = text_of("question.block.key", "Key of the block.")
    rater = text_of("rater.name")
    version = serializers.IntegerField(source="rater.version", read_only=True)
    kind = text_of("rater.kind")
    round = serializers.CharField(source="round.name", read_only=True, allow_null=True)

    class Meta:
        model = Annotation
        fields = (
            *("id", "unit", "block", "rater", "version", "kind", "replicate", "answer", "round"),
            *("active_seconds", "surplus", "excluded_reason", "superseded_at", "withdrawn_at"),
            *("created_at", "metadata"),
        )


class RaterSerializer(RowSerializer):
    class Meta:
        model = Rater
        fields = ("id", "name", "version", "kind", "origin", "family")


class InvitationSerializer(RowSerializer):
    personal = serializers.SerializerMethodField()
    round = serializers.CharField(source="round.name", read_only=True, allow_null=True)
    link = serializers.SerializerMethodField()

    class Meta:
        model = Invitation
        fields = (
            *("id", "link", "personal", "round", "max_uses", "uses", "note"),
            *("created_at", "ended_at"),
        )

    def get_personal(self, invitation: Invitation) -> bool:
        return invitation.worker_id is not None

    def get_link(self, invitation: Invitation) -> str:
        request = cast(HttpRequest, self.context["request"])
        return request.build_absolute_uri(reverse("annotation:join", args=[invitation.token]))


class ReportedProblemSerializer(RowSerializer):
    unit = text_of("unit.key", "Key of the unit.")
    worker = text_of("assignment.participation.pseudonym")
    round = text_of("assignment.round.name")

    class Meta:
        model = AssignmentUnit
        fields = ("id", "unit", "worker", "round", "problem")


class ReviewSerializer(RowSerializer):
    worker = text_of("participation.pseudonym")
    round = text_of("round.name")

    class Meta:
        model = Assignment
        fields = (
            *("id", "worker", "round", "verdict", "late", "comment", "feedback"),
            *("leased_at", "submitted_at"),
        )


class EventSerializer(RowSerializer):
    by = serializers.SerializerMethodField(help_text="User name; empty for commands and rules.")

    class Meta:
        model = Change
        fields = ("id", "at", "by", "action", "subject", "detail")

    def get_by(self, change: Change) -> str:
        return "" if change.by is None else change.by.get_username()
