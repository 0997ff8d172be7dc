"""What a study owes, the files by which panels pay it, and adjustments of a worker's pay."""

from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from annotation.models import Participation, log_change
from annotation.pay.payouts import MadeFile, NothingOwed, file_text, files_made, make_file, payouts
from annotation.pay.rewards import Covers
from annotation.views.downloads import as_download
from annotation.work.ledger import AdjustmentRefused, adjust, newest_row
from api.access import Needs, caller
from api.problems import Problem
from api.requests.bodies import Amount, Body, Sentence, Text
from api.requests.conditions import require_match
from api.requests.filters import Filter
from api.resources import Resource, Rows, link_to, reads, writes
from api.scopes import Scope
from api.serializers.pay import (
    LedgerRowSerializer,
    PaidWorkerSerializer,
    PayFileSerializer,
    PayFilesSerializer,
    PaySerializer,
    StatementSerializer,
)
from desk.people.pay.totals import paid_people, totals_of, worker_totals

OWNS = Needs(Scope.PAY, Role.OWNER)
EPOCH, TICK = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)
COVERS = Filter(
    "", "what goes into a file, by what the panel pays by itself", choices=Covers.values
)


class Pay(Resource):
    """What was earned, and what is still to be paid out."""

    @reads(OWNS, answers={200: PaySerializer}, parameters={"covers": COVERS})
    def retrieve(self, request: Request, slug: str) -> Response:
        """The sums; panels' ids are in payment files alone."""
        covers = Covers(self.parameter("covers", default=Covers.usual(self.study)))
        owed = [
            {
                "panel": payout.panel,
                "currency": payout.currency,
                "workers": len(payout.lines),
                "total": payout.total,
                "unpayable": len(payout.unpayable),
                "in_debt": len(payout.in_debt),
            }
            for payout in payouts(self.study, covers)
        ]
        rows = {"covers": covers, "totals": totals_of(self.study), "owed": owed}
        return Response(PaySerializer(rows).data)


class NewPayFileSerializer(Body):
    panel = Text(max_length=80, help_text="As in `owed`.")
    currency = Text(max_length=3)
    covers = serializers.ChoiceField(choices=Covers.choices, required=False)


class PayFiles(Resource):
    """The payment files of the study."""

    lookup_url_kwarg, lookup_value_converter = "id", "int"

    @reads(OWNS, answers={200: PayFilesSerializer})
    def list(self, request: Request, slug: str) -> Response:
        """All files so far, the newest first."""
        files = [self._shown(made) for made in files_made(self.study)]
        return Response(PayFilesSerializer({"results": files}).data)

    @writes(OWNS, takes=NewPayFileSerializer, answers={201: PayFileSerializer})
    def create(self, request: Request) -> Response:
        """Put what is owed into a file, once."""
        sent = self.valid(request)
        covers = Covers(sent.pop("covers", Covers.usual(self.study)))
        try:
            at = make_file(study=self.study, covers=covers, by=caller(request), **sent)
        except NothingOwed as error:
            text = "Nothing is owed there, or it has been in a file before."
            raise Problem(HTTPStatus.CONFLICT, text) from error
        made = next(made for made in files_made(self.study) if made.at == at)
        return Response(PayFileSerializer(self._shown(made)).data, status=HTTPStatus.CREATED)

    @reads(OWNS, answers={(200, "text/csv"): OpenApiTypes.STR})
    def retrieve(self, request: Request, slug: str, id: int) -> HttpResponse:  # noqa: A002
        """The lines `external_id,amount`, as a panel's bulk payment takes them; of people who came
        by an invitation `pseudonym,amount`."""
        try:
            at = EPOCH + id * TICK
        except OverflowError:
            raise Http404("No such file.") from None
        text = file_text(self.study, at)
        if text is None:
            raise Http404("No such file.")
        log_change(study=self.study, by=caller(request), action="pay.file_downloaded")
        name = f"{slug}-{at:%Y%m%d-%H%M%S}.csv"
        return as_download(HttpResponse(text, content_type="text/csv; charset=utf-8"), name)

    def _shown(self, made: MadeFile) -> dict[str, Any]:
        stamp = (made.at - EPOCH) // TICK
        path = reverse("api:pay-files-detail", args=[self.study.slug, stamp])
        return {
            "id": stamp,
            "made_at": made.at,
            "panel": made.panel,
            "currency": made.currency,
            "workers": made.workers,
            "total": made.total,
            "file": link_to(self.request, path),
        }


class AdjustmentSerializer(Body):
    amount = Amount(help_text="With a minus sign it takes back.")
    note = Sentence(max_length=200, help_text="The worker reads it in their statement.")


class PaidWorkers(Rows):
    """The workers who have earned something, with their sums."""

    needs = OWNS
    serializer_class = PaidWorkerSerializer

    def get_queryset(self) -> QuerySet[Participation]:
        return paid_people(self.study)

    def paginate_queryset(self, queryset: QuerySet[Participation]) -> Any:
        """The sums of one page, in one query."""
        return worker_totals(list(super().paginate_queryset(queryset)))

    @reads(OWNS, answers={200: StatementSerializer})
    def retrieve(self, request: Request, slug: str, id: int) -> Response:  # noqa: A002
        """All amounts, the oldest first. `id`: the number in the worker's pseudonym."""
        worker = self._worker()
        rows = {"worker": worker.pseudonym, "rows": worker.ledger.order_by("pk")}
        return Response(StatementSerializer(rows).data, headers={"ETag": _tag(newest_row(worker))})

    @writes(OWNS, takes=AdjustmentSerializer, answers={201: LedgerRowSerializer}, matches=True)
    @action(detail=True, methods=["post"])
    def adjustments(self, request: Request) -> Response:
        """Add an amount, if the worker's statement is still the one that was read."""
        sent, worker = self.valid(request), self._worker()
        after = newest_row(worker)
        require_match(request, _tag(after))
        try:
            row = adjust(participation=worker, by=caller(request), after=after, **sent)
        except AdjustmentRefused as refusal:
            raise Problem(HTTPStatus.CONFLICT, str(refusal)) from refusal
        return Response(LedgerRowSerializer(row).data, status=HTTPStatus.CREATED)

    def _worker(self) -> Participation:
        """The worker whose number the address names."""
        rows = self.study.participations.select_related("study")
        return get_object_or_404(rows, number=self.kwargs["id"])


def _tag(newest: int) -> str:
    return f'"{newest}"'
