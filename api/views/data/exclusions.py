"""Exclusion rules: what one would do, applying it, and taking it back."""

from http import HTTPStatus
from typing import Any, ClassVar

from django.db.models import Q, QuerySet
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from annotation.models import ExclusionRule
from api.access import Needs, caller
from api.requests.bodies import Body, Number, Text, Whole
from api.requests.filters import by_truth
from api.resources import Rows, writes
from api.scopes import Scope
from api.serializers.data import ExclusionPreviewSerializer, ExclusionSerializer
from api.views.data.jobs import STARTED, started
from desk.data.background.jobs import newest_or_asked
from desk.data.exclusions.conditions import Conditions
from desk.data.exclusions.previews import Preview
from desk.data.exclusions.work import PREVIEW, ask_to_apply, ask_to_undo, look_at

WRITES = Needs(Scope.WRITE, Role.REVIEWER)
MOST_WORKERS, LARGEST = 1_000, 2**31 - 1


def _share(about: str) -> Number:
    return Number(min_value=0, max_value=1, required=False, help_text=about)


class ConditionsSerializer(Body):
    control_accuracy = _share("The share of controls answered right is below this, …")
    least_controls = Whole(
        min_value=1, max_value=1_000, required=False, help_text="… after so many controls."
    )
    seconds = Number(
        min_value=0,
        max_value=86_400,
        required=False,
        help_text="The median of seconds per answer is below this.",
    )
    longest_run = Whole(
        min_value=1,
        max_value=LARGEST,
        required=False,
        help_text="The same answer was given more often in a row.",
    )
    likeness_q = _share("Answers are closer to a judge's than expected, with a q below this.")
    rejected = Whole(
        min_value=1,
        max_value=LARGEST,
        required=False,
        help_text="So many batches or more were excluded on review.",
    )
    workers = serializers.ListField(
        child=Whole(min_value=0, max_value=LARGEST),
        max_length=MOST_WORKERS,
        required=False,
        help_text="These, by the numbers in their pseudonyms.",
    )


class SeenSerializer(Body):
    seen = Text(max_length=64, help_text="`seen` of the preview.")


class Exclusions(Rows):
    """The rules that somebody looked at, applied ones among them. A worker whom any condition of a
    rule describes is excluded by it."""

    one = "One rule, with what it would do now."
    needs = Needs(Scope.READ, Role.REVIEWER)
    serializer_class = ExclusionSerializer
    filters: ClassVar = {"applied": by_truth("applied", "whether answers are excluded by it now")}

    def get_queryset(self) -> QuerySet[ExclusionRule]:
        rules = ExclusionRule.objects.filter(study=self.study).select_related("by")
        return rules.annotate(applied=Q(applied_at__isnull=False, undone_at=None))

    def get_object(self) -> ExclusionRule:
        """With the study as the caller sees it."""
        rule: ExclusionRule = super().get_object()
        rule.study = self.study
        return rule

    def get_serializer_class(self) -> Any:
        return ExclusionSerializer if self.action == "list" else ExclusionPreviewSerializer

    @writes(WRITES, takes=ConditionsSerializer, answers={201: ExclusionPreviewSerializer})
    def create(self, request: Request) -> Response:
        """Look at a rule: what it would do is worked out. The same conditions give the same rule as
        long as it was not applied. Nothing is excluded."""
        sent = self.valid(request)
        conditions = Conditions.from_json(sent)
        if not conditions.as_json():
            raise ValidationError({"detail": "Give at least one condition."})
        rule, _job = look_at(study=self.study, conditions=conditions, by=caller(request))
        return self._with_preview(rule, status=HTTPStatus.CREATED)

    def retrieve(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The rule; what it would do is worked out again where answers have changed."""
        return self._with_preview(self.get_object())

    @writes(WRITES, takes=SeenSerializer, answers=STARTED)
    @action(detail=True, methods=["post"])
    def apply(self, request: Request) -> Response:
        """Exclude the answers that the preview showed; nothing where the rule describes others by
        then. `said` of the job tells."""
        seen = self.valid(request)["seen"]
        return started(ask_to_apply(rule=self.get_object(), seen=seen, by=caller(request)))

    @writes(WRITES, answers=STARTED)
    @action(detail=True, methods=["post"])
    def undo(self, request: Request) -> Response:
        """Count again what the rule excluded."""
        return started(ask_to_undo(rule=self.get_object(), by=caller(request)))

    def _with_preview(self, rule: ExclusionRule, **response: Any) -> Response:
        setattr(rule, "preview", self._preview(rule))  # noqa: B010 (no field of the row)
        return self.shown(rule, **response)

    def _preview(self, rule: ExclusionRule) -> dict[str, Any] | None:
        if rule.applied_at is not None:
            return None
        by, parameters = caller(self.request), rule.conditions
        job = newest_or_asked(study=self.study, kind=PREVIEW, parameters=parameters, by=by)
        if job.outcome is None:
            return None
        effect = Preview.from_json(self.study, job.outcome)
        return {
            "seen": effect.seen,
            "workers": [
                {"worker": each.pseudonym, "reasons": list(each.reasons)}
                for each in effect.concerned
            ],
            "batches": len(effect.assignments),
            "answers": effect.answers,
            "outdated": job.revision != self.study.revision,
        }
