"""The client: one method for each call of Prolific's API that is used.

Calls that may be repeated are, a few times, after named transient errors: 429, 502, 503, 504, no
connection and a time-out. Calls that make something are sent once.
"""

import random
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx2
from pydantic import BaseModel, ValidationError

from annotation.panels.prolific_api.errors import (
    NotThere,
    ProlificError,
    RateLimited,
    Uncertain,
    Unreachable,
    error_of,
)
from annotation.panels.prolific_api.shapes import (
    BalanceReply,
    BonusReply,
    StudyReply,
    SubmissionReply,
)

TIMEOUT_SECONDS = 20.0
TRIES = 4
# The first wait between two tries, doubled each time, and the longest that Retry-After may make it.
FIRST_WAIT, LONGEST_WAIT = 0.5, 15.0
PAGE = 100
# A list that never ends is a fault.
MOST_PAGES = 1_000
_TRANSIENT = frozenset({429, 502, 503, 504})
_NOT_CONNECTED = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)


Reply = TypeVar("Reply", bound=BaseModel)


class Prolific:
    """Prolific with one token. sleep: waits between tries; tests replace it."""

    def __init__(
        self,
        *,
        base_url: str,
        token: str,
        workspace: str = "",
        project: str = "",
        sleep: Callable[[float], None] = time.sleep,
        timeout: float = TIMEOUT_SECONDS,
    ) -> None:
        self.workspace, self.project, self._sleep = workspace, project, sleep
        self._http = httpx2.Client(
            base_url=base_url.rstrip("/") + "/api/v1/",
            headers={"Authorization": f"Token {token}", "Accept": "application/json"},
            timeout=timeout,
            follow_redirects=False,  # the token goes to one host
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.close()

    # --- Studies ----------------------------------------------------------------------------

    def create_study(self, body: Mapping[str, Any]) -> StudyReply:
        """Make a draft. Sent once: sent twice, there would be two."""
        where = {"project": self.project} if self.project else {}
        return self._read(StudyReply, "POST", "studies/", {**body, **where}, repeat=False)

    def study(self, study_id: str) -> StudyReply:
        return self._read(StudyReply, "GET", f"studies/{study_id}/")

    def drafts(self) -> list[StudyReply]:
        """All studies that are not published."""
        return [_shaped(StudyReply, row) for row in self._pages("studies/", {"published": 0})]

    def move_study(self, study_id: str, action: str) -> StudyReply:
        """PUBLISH, PAUSE, START or STOP. The caller has read where the study stands."""
        path = f"studies/{study_id}/transition/"
        return self._read(StudyReply, "POST", path, {"action": action}, repeat=False)

    # --- Submissions ------------------------------------------------------------------------

    def submissions(self, study_id: str) -> Iterator[SubmissionReply]:
        """All submissions of a study."""
        for row in self._pages(f"studies/{study_id}/submissions/", {}):
            yield _shaped(SubmissionReply, row)

    def submission(self, submission_id: str) -> SubmissionReply:
        return self._read(SubmissionReply, "GET", f"submissions/{submission_id}/")

    def approve(self, submission_ids: Collection[str]) -> None:
        """Approve in the background: how it ended is read afterwards. Idempotent there."""
        self._call("POST", "submissions/bulk-approve/", {"submission_ids": list(submission_ids)})

    def reject(self, submission_id: str, *, category: str, message: str) -> SubmissionReply:
        """Reject one submission. Idempotent there."""
        body = {"action": "REJECT", "rejection_category": category, "message": message}
        path = f"submissions/{submission_id}/transition/"
        return self._read(SubmissionReply, "POST", path, body)

    def ask_to_return(self, submission_id: str, *, reason: str) -> None:
        """Ask a participant to return a submission; each time they get a message."""
        body = {"request_return_reasons": [reason]}
        self._call("POST", f"submissions/{submission_id}/request-return/", body, repeat=False)

    # --- Money ------------------------------------------------------------------------------

    def set_up_bonuses(self, study_id: str, amounts: Mapping[str, str]) -> BonusReply:
        """Announce bonuses by submission, in whole units of the study's currency. Pays nothing."""
        lines = "\n".join(f"{submission},{amount}" for submission, amount in amounts.items())
        body = {"study_id": study_id, "csv_bonuses": lines}
        return self._read(BonusReply, "POST", "submissions/bonus-payments/", body, repeat=False)

    def pay_bonuses(self, bulk_id: str) -> None:
        """Pay what was set up. Never repeated: each call pays again."""
        self._call("POST", f"bulk-bonus-payments/{bulk_id}/pay/", {}, repeat=False)

    def bonuses(self, study_id: str, submission_ids: Collection[str]) -> dict[str, tuple[int, ...]]:
        """The bonuses that each of these submissions was paid, in the minor unit."""
        wanted = set(submission_ids)
        listed = {row.id: row.bonuses for row in self.submissions(study_id) if row.id in wanted}
        return {
            key: listed[key] or ()
            if listed.get(key) is not None
            else self.submission(key).bonuses or ()
            for key in submission_ids
        }

    def balance(self) -> BalanceReply | None:
        """What can still be spent; None where Prolific does not tell."""
        path = f"workspaces/{self.workspace}/balance/" if self.workspace else "users/me/"
        try:
            return self._read(BalanceReply, "GET", path)
        except (NotThere, Uncertain):
            return None

    # --- Requests ---------------------------------------------------------------------------

    def _pages(self, path: str, query: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """The rows of a list. Ends where a page is empty, or says that it is the last."""
        offset = 0
        for _ in range(MOST_PAGES):
            window = {**query, "limit": PAGE, "offset": offset}
            body = _json(self._call("GET", path, query=window))
            rows = body.get("results")
            if not isinstance(rows, list):
                raise Uncertain("Prolific answered a list in a form that is not known.")
            yield from rows
            offset += len(rows)
            if not rows or _is_last(body, offset):
                return
        raise Uncertain("Prolific's list did not end.")

    def _read(
        self, shape: type[Reply], method: str, path: str, body: Any = None, *, repeat: bool = True
    ) -> Reply:
        return _shaped(shape, _json(self._call(method, path, body, repeat=repeat)))

    def _call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, Any] | None = None,
        repeat: bool = True,
    ) -> httpx2.Response:
        """The reply to a request, if it is a good one; else a ProlificError."""
        for attempt in range(TRIES):
            last = not repeat or attempt == TRIES - 1
            try:
                response = self._http.request(method, path, json=body, params=query)
            except httpx2.TransportError as error:
                if last:
                    raise _fault(error) from None
                self._sleep(_wait(attempt))
                continue
            if response.is_success:
                return response
            if last or response.status_code not in _TRANSIENT:
                raise error_of(response)
            pause = _wait(attempt, response)
            if pause > LONGEST_WAIT:
                raise RateLimited(f"Prolific asks to wait for {round(pause)} seconds.")
            self._sleep(pause)
        raise AssertionError("the last try returns or raises")


def _fault(error: httpx2.TransportError) -> ProlificError:
    """The error itself is not shown: it may repeat the request."""
    if isinstance(error, _NOT_CONNECTED):
        return Unreachable("Prolific cannot be reached from here. Nothing was changed there.")
    return Uncertain("Prolific did not answer in time, so it is not known what it did.")


def _wait(attempt: int, response: httpx2.Response | None = None) -> float:
    """Seconds before the next try: as the reply asks, else doubled each time, and jittered."""
    asked_for = (
        _retry_after(response.headers.get("Retry-After", "")) if response is not None else None
    )
    if asked_for is not None:
        return asked_for
    return FIRST_WAIT * float(2**attempt) * random.uniform(0.5, 1.5)  # noqa: S311 (jitter, no secret)


def _retry_after(text: str) -> float | None:
    """Seconds from a number or a date; None for anything else."""
    try:
        return max(float(text), 0.0)
    except ValueError:
        pass
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max((at - datetime.now(UTC)).total_seconds(), 0.0)


def _is_last(body: Mapping[str, Any], offset: int) -> bool:
    links, meta = body.get("_links"), body.get("meta")
    if isinstance(meta, dict) and isinstance(meta.get("count"), int):
        return offset >= int(meta["count"])
    following = links.get("next") if isinstance(links, dict) else None
    return not (isinstance(following, dict) and following.get("href"))


def _json(response: httpx2.Response) -> dict[str, Any]:
    try:
        body = response.json()
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise Uncertain("Prolific answered in a form that is not known.")
    return body


def _shaped(shape: type[Reply], body: object) -> Reply:
    try:
        return shape.model_validate(body)
    except ValidationError:
        raise Uncertain("Prolific answered in a form that is not known.") from None
