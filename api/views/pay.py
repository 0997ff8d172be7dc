"""What a study owes, the files by which panels pay it, and adjustments of a worker's pay."""

from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from annotation.models import Participation, log_change
from annotation.pay.payouts import MadeFile, NothingOwed, file_text, files_made, make_file, payouts
from annotation.pay.rewards import Covers
from annotation.views.downloads import as_download
from annotation.work.ledger import Refused, adjust, newest_row
from api.access import Needs, caller
from api.bodies import Amount, Body, Sentence, Text
from api.conditions import require_match
from api.filters import Filter
from api.problems import Problem
from api.resources import ListMixin, StudyResource, StudyRows, WriteMixin, link_to
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


class Pay(StudyResource):
    """What was earned, and what is still to be paid out."""

    needs: ClassVar = {"GET": OWNS}
    answers: ClassVar = {"GET": {200: PaySerializer}}
    parameters: ClassVar = {"GET": {"covers": COVERS}}

    def get(self, request: Request, slug: str) -> Response:
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


class PayFiles(StudyResource, WriteMixin):
    """The payment files of the study."""

    lists = True
    needs: ClassVar = {"GET": OWNS, "POST": OWNS}
    takes = NewPayFileSerializer
    answers: ClassVar = {"GET": {200: PayFilesSerializer}, "POST": {201: PayFileSerializer}}

    def get(self, request: Request, slug: str) -> Response:
        """All files so far, the newest first."""
        files = [self._shown(made) for made in files_made(self.study)]
        return Response(PayFilesSerializer({"results": files}).data)

    def write(self, request: Request) -> Response:
        """Put what is owed into a file, once."""
        sent = self.valid(request, NewPayFileSerializer)
        covers = Covers(sent.pop("covers", Covers.usual(self.study)))
        try:
            at = make_file(study=self.study, covers=covers, by=caller(request), **sent)
        except NothingOwed as error:
            text = "Nothing is owed there, or it has been in a file before."
            raise Problem(HTTPStatus.CONFLICT, text) from error
        made = next(made for made in files_made(self.study) if made.at == at)
        return Response(PayFileSerializer(self._shown(made)).data, status=HTTPStatus.CREATED)

    def _shown(self, made: MadeFile) -> dict[str, Any]:
        stamp = (made.at - EPOCH) // TICK
        path = reverse("api:pay-file", args=[self.study.slug, stamp])
        return {
            "id": stamp,
            "made_at": made.at,
            "panel": made.panel,
            "currency": made.currency,
            "workers": made.workers,
            "total": made.total,
            "file": link_to(self.request, path),
        }


class PayFile(StudyResource):
    """One payment file, with the panel's ids."""

    needs: ClassVar = {"GET": OWNS}
    answers: ClassVar = {"GET": {(200, "text/csv"): OpenApiTypes.STR}}

    def get(self, request: Request, slug: str, id: int) -> HttpResponse:  # noqa: A002
        """The lines `external_id,amount`, as a panel's bulk payment takes them."""
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


class PaidWorkers(ListMixin, StudyRows):
    """The workers who have earned something, with their sums."""

    needs: ClassVar = {"GET": OWNS}
    serializer_class = PaidWorkerSerializer

    def rows(self) -> QuerySet[Participation]:
        return paid_people(self.study)

    def shown(self, rows: Any, *, many: bool) -> Any:
        """The sums of one page, in one query."""
        return super().shown(worker_totals(list(rows)), many=many)


class _OfWorker(StudyResource):
    def participation(self) -> Participation:
        """The worker whose number the address names."""
        rows = self.study.participations.select_related("study")
        return get_object_or_404(rows, number=self.kwargs["id"])


def _tag(newest: int) -> str:
    return f'"{newest}"'


class Statement(_OfWorker):
    """What a worker has earned."""

    needs: ClassVar = {"GET": OWNS}
    answers: ClassVar = {"GET": {200: StatementSerializer}}

    def get(self, request: Request, slug: str, id: int) -> Response:  # noqa: A002
        """All amounts, the oldest first. `id`: the number in the worker's pseudonym."""
        worker = self.participation()
        rows = {"worker": worker.pseudonym, "rows": worker.ledger.order_by("pk")}
        return Response(StatementSerializer(rows).data, headers={"ETag": _tag(newest_row(worker))})


class AdjustmentSerializer(Body):
    amount = Amount(help_text="With a minus sign it takes back.")
    note = Sentence(max_length=200, help_text="The worker reads it in their statement.")


class Adjustments(_OfWorker, WriteMixin):
    """An amount that is added to a worker's statement."""

    needs: ClassVar = {"POST": OWNS}
    takes = AdjustmentSerializer
    answers: ClassVar = {"POST": {201: LedgerRowSerializer}}
    matches = True

    def write(self, request: Request) -> Response:
        """Add an amount, if the worker's statement is still the one that was read."""
        sent, worker = self.valid(request, AdjustmentSerializer), self.participation()
        after = newest_row(worker)
        require_match(request, _tag(after))
        try:
            row = adjust(participation=worker, by=caller(request), after=after, **sent)
        except Refused as refusal:
            raise Problem(HTTPStatus.CONFLICT, str(refusal)) from refusal
        return Response(LedgerRowSerializer(row).data, status=HTTPStatus.CREATED)
