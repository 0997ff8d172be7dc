"""Members of a study: their roles, and colleagues who are invited."""

from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.accounts import change_role, hand_over, leave_study
from accounts.invitations import end_invitation, open_invitations
from accounts.links import invite_by_mail
from accounts.membership import LastOwner, set_member
from accounts.models import ColleagueInvitation
from annotation.access import Role
from annotation.models import Member, User
from api.access import Needs, caller
from api.problems import Problem, conflicts
from api.requests.bodies import Body, Text
from api.resources import Rows, writes
from api.scopes import Scope
from api.serializers.people import (
    ColleagueSerializer,
    InvitedColleagueSerializer,
    MemberSerializer,
)

READS, OWNS = Needs(Scope.READ, Role.OWNER), Needs(Scope.MANAGE, Role.OWNER)
CHANGED = {200: MemberSerializer}


class NewMemberSerializer(Body):
    username = Text(max_length=150)
    role = serializers.ChoiceField(choices=Role.choices)


class RoleSerializer(Body):
    role = serializers.ChoiceField(choices=Role.choices)


class Members(Rows):
    """The members of the study."""

    one = "One member."
    needs = READS
    serializer_class = MemberSerializer
    lookup_field = "user_id"

    def get_queryset(self) -> QuerySet[Member]:
        return self.study.members.select_related("user")

    @writes(OWNS, takes=NewMemberSerializer, answers={201: MemberSerializer})
    def create(self, request: Request) -> Response:
        """Give an account a role, whether it is new to the study or not."""
        sent = self.valid(request)
        user = User.objects.filter(username=sent["username"]).first()
        if user is None:
            text = "There is no user of this name."
            raise Problem(HTTPStatus.CONFLICT, text, field="username")
        with conflicts(LastOwner, field="role"):
            set_member(study=self.study, user=user, role=Role(sent["role"]), by=caller(request))
        return self.shown(self.get_queryset().get(user=user), status=HTTPStatus.CREATED)

    @writes(OWNS, takes=RoleSerializer, answers=CHANGED)
    @action(detail=True, methods=["post"])
    def role(self, request: Request) -> Response:
        """Give a member another role."""
        role, user = Role(self.valid(request)["role"]), self.get_object().user
        with conflicts(LastOwner, field="role"):
            change_role(study=self.study, user=user, role=role, by=caller(request))
        return self.shown(self.get_object())

    @writes(OWNS, answers=CHANGED)
    @action(detail=True, methods=["post"])
    def remove(self, request: Request) -> Response:
        """Take a member out, and end the invitations that they made; the member as they were."""
        member = self.get_object()
        with conflicts(LastOwner):
            leave_study(study=self.study, user=member.user, by=caller(request))
        return self.shown(member)

    @writes(OWNS, answers=CHANGED)
    @action(detail=True, methods=["post"], url_path="hand-over")
    def hand_over(self, request: Request) -> Response:
        """Make a member the owner; the caller stays as an editor."""
        to, owner = self.get_object().user, caller(request)
        if to == owner:
            raise Problem(HTTPStatus.CONFLICT, "You own the study already.")
        hand_over(study=self.study, owner=owner, to=to)
        return self.shown(self.get_object())


class NewColleagueSerializer(Body):
    role = serializers.ChoiceField(choices=Role.choices)
    email = serializers.EmailField(
        default="", allow_blank=True, help_text="Where the invitation is mailed to."
    )


class Colleagues(Rows):
    """The invitations of colleagues that somebody can still accept."""

    one = "One invitation of a colleague."
    needs = READS
    serializer_class = ColleagueSerializer

    def get_queryset(self) -> QuerySet[ColleagueInvitation]:
        return open_invitations(study=self.study, now=timezone.now())

    @writes(
        OWNS,
        takes=NewColleagueSerializer,
        answers={201: InvitedColleagueSerializer},
        secrets=("link",),
    )
    def create(self, request: Request) -> Response:
        """Invite a colleague by mail, or by a link that is shown once."""
        sent = self.valid(request)
        made = invite_by_mail(
            request._request,
            by=caller(request),
            study=self.study,
            role=Role(sent["role"]),
            email=sent["email"],
        )
        row: dict[str, Any] = dict(ColleagueSerializer(made.invitation).data)
        return Response({**row, "link": made.link}, status=HTTPStatus.CREATED)

    @writes(OWNS, answers={200: ColleagueSerializer})
    @action(detail=True, methods=["post"])
    def end(self, request: Request) -> Response:
        """Let nobody in by an invitation any more."""
        invitation = self.get_object()
        end_invitation(invitation=invitation, by=caller(request), now=timezone.now())
        return self.shown(invitation)
