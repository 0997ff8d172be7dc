"""Answers, raters and what concerns workers as JSON. People are called as on the pages: by
pseudonyms."""

from typing import Any, cast

from django.http import HttpRequest
from django.urls import reverse
from rest_framework import serializers

from accounts.models import ColleagueInvitation
from annotation.models import (
    Annotation,
    Assignment,
    AssignmentUnit,
    Change,
    Invitation,
    Member,
    Participation,
    Rater,
)
from api.serializers.related import RowSerializer, by_whom, text_of
from desk.people.team.members import TeamMember


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
        return join_link(self, invitation)


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


class MemberSerializer(RowSerializer):
    id = serializers.IntegerField(source="user_id", read_only=True, help_text="Of the account.")
    username = text_of("user.username")

    class Meta:
        model = Member
        fields = ("id", "username", "role")


class ColleagueSerializer(RowSerializer):
    email = serializers.CharField(read_only=True, help_text="Empty: for whoever has the link.")
    by = by_whom("made_by")

    class Meta:
        model = ColleagueInvitation
        fields: tuple[str, ...] = ("id", "role", "email", "mailed", "by", "made_at", "expires_at")


class InvitedColleagueSerializer(ColleagueSerializer):
    link = serializers.CharField(
        read_only=True, help_text="Shown in this answer alone; empty where it was mailed."
    )

    class Meta:
        model = ColleagueInvitation
        fields = (*ColleagueSerializer.Meta.fields, "link")


class WorkerSerializer(RowSerializer):
    id = serializers.IntegerField(
        source="number", read_only=True, help_text="The number in the worker's pseudonym."
    )
    worker = text_of("pseudonym")
    round = serializers.CharField(source="round.name", read_only=True, allow_null=True)

    class Meta:
        model = Participation
        fields = ("id", "worker", "state", "round", "arrived_at")


class SeatSerializer(serializers.Serializer[TeamMember]):
    id = serializers.IntegerField(source="seat.number", help_text="The member's number.")
    name = serializers.CharField(source="seat.name", help_text="The researcher's word for them.")
    worker = serializers.SerializerMethodField(help_text="The pseudonym; null before they came.")
    link = serializers.SerializerMethodField(help_text="Their personal link, if one was made.")
    done = serializers.IntegerField(help_text="Units of their table that are submitted.")
    of = serializers.IntegerField(help_text="Units of their table.")
    last_seen = serializers.DateTimeField(allow_null=True)
    is_over = serializers.BooleanField(source="seat.is_over", help_text="Whether it has ended.")

    def get_worker(self, member: TeamMember) -> str | None:
        came = member.seat.participation
        return None if came is None else came.pseudonym

    def get_link(self, member: TeamMember) -> str | None:
        made = member.seat.invitation
        return None if made is None else join_link(self, made)


class TeamSerializer(serializers.Serializer[Any]):
    results = SeatSerializer(many=True)
    unassigned = serializers.IntegerField(
        help_text="Answers that are wanted and in nobody's table; see `settle`."
    )


class LinkSerializer(serializers.Serializer[Any]):
    link = serializers.CharField(help_text="Shown in this answer alone.")


class NumberSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField(help_text="How many.")


def join_link(serializer: Any, invitation: Invitation) -> str:
    """The address of an invitation."""
    request = cast(HttpRequest, serializer.context["request"])
    return request.build_absolute_uri(reverse("annotation:join", args=[invitation.token]))
