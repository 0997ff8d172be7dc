"""Prolific as its public API documents describe it, over real HTTP on this machine.

It keeps its own books (`paid`): what it has paid to whom, which no code of the program touches.
Faults are put into `faults` and met in order by requests whose path contains their text. Never
compared with the real service: the words of errors, the form of lists, the balance of an account,
which fields it insists on.
"""

import json
import re
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import cache
from itertools import count
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from fastapi.responses import JSONResponse, Response, StreamingResponse

TOKEN = "a-token-of-the-tests"
STATUSES = {"PUBLISH": "ACTIVE", "PAUSE": "PAUSED", "START": "ACTIVE", "STOP": "AWAITING REVIEW"}
FROM = {
    "PUBLISH": ("UNPUBLISHED",),
    "PAUSE": ("ACTIVE",),
    "START": ("PAUSED",),
    "STOP": ("ACTIVE", "PAUSED"),
}
FEE = Decimal("0.3333")
WORKSPACE = "aaaa0000000000000000feed"


@dataclass
class Fault:
    """What happens to a request. path: what it contains. status: what is answered instead, before
    anything is done. after: whether the request is done first, and its answer lost."""

    path: str
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None
    after: bool = False
    times: int = 1


class FakeProlific:
    """The other side: studies, submissions, bonuses and money, in minor units."""

    url = ""

    def __init__(self, *, balance: int = 1_000_000, currency: str = "USD", page: int = 100) -> None:
        self.balance, self.currency, self.page = balance, currency, page
        self.studies: dict[str, dict[str, Any]] = {}
        self.submissions: dict[str, dict[str, Any]] = {}
        self.bulks: dict[str, dict[str, Any]] = {}
        # Submission -> minor units, once per payment that was made.
        self.paid: dict[str, list[int]] = defaultdict(list)
        self.rewarded: Counter[str] = Counter()
        self.faults: list[Fault] = []
        self.calls: list[tuple[str, str]] = []
        self.asked_to_return: Counter[str] = Counter()
        # Whether payments and approvals wait for `work_off`: the service works in the background.
        self.in_background = False
        self.lists_bonuses = True
        self._waiting: list[Callable[[], None]] = []
        self._ids = (f"{number:024x}" for number in count(0x6000_0000_0000))
        self._lock = threading.RLock()
        # The names of the keys by which it signs addresses; it signs by the last.
        self.keys = ["first"]
        self.slow = 0.0

    # --- What the tests do ----------------------------------------------------------------------

    def submit(
        self, study: str, participant: str, status: str = "AWAITING REVIEW", **more: Any
    ) -> str:
        """Somebody's submission; its id, which is the session's."""
        key = more.pop("id", None) or next(self._ids)
        self.submissions[key] = {
            "id": key,
            "study_id": study,
            "participant_id": participant,
            "status": status,
            "started_at": "2026-11-01T10:00:00Z",
            "completed_at": "2026-11-01T10:10:00Z" if status != "ACTIVE" else None,
            "study_code": more.pop("code", None),
            "return_requested": None,
            **more,
        }
        return str(key)

    def work_off(self) -> None:
        """Do what waits in the background."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
            for job in waiting:
                job()

    def calls_to(self, path: str) -> int:
        return sum(path in where for _method, where in self.calls)

    def sign(self, ids: dict[str, str], audience: Any, key: str = "", **claims: Any) -> str:
        """The token of an address with these ids. claims: others than usual, None for none."""
        name = key or self.keys[-1]
        usual = {
            "iss": "https://www.prolific.com",
            "aud": audience,
            "sub": ids.get("SESSION_ID"),
            "exp": datetime.now(UTC) + timedelta(minutes=5),
            "prolific": {**ids, "workspace_id": WORKSPACE},
        }
        given = {name: value for name, value in {**usual, **claims}.items() if value is not None}
        return jwt.encode(given, private_key(name), "RS256", headers={"kid": name})

    # --- What the program asks ------------------------------------------------------------------

    def answer(self, method: str, path: str, query: dict[str, str], body: Any) -> Response:
        with self._lock:
            for pattern, handler in _ROUTES:
                match = re.fullmatch(pattern, f"{method} {path}")
                if match:
                    result: Response = handler(self, *match.groups(), query=query, body=body)
                    return result
        return refused(404, "Not found.")

    def key_set(self) -> Response:
        """The keys, and one of a kind that nobody here has heard of."""
        known = [public_jwk(name) for name in self.keys]
        answer = {"keys": [*known, {"kid": "new", "kty": "OKP", "crv": "Ed25519", "x": ""}]}
        return StreamingResponse(self._pieces(json.dumps(answer))) if self.slow else good(answer)

    def _pieces(self, text: str) -> Iterator[str]:
        for start in range(0, len(text), 40):
            time.sleep(self.slow)
            yield text[start : start + 40]

    def me(self, *, query: Any, body: Any) -> Response:
        return good({"id": "me", "currency_code": self.currency, "available_balance": self.balance})

    def create(self, *, query: Any, body: Any) -> Response:
        needed = ("name", "description", "external_study_url", "reward", "completion_codes")
        missing = [name for name in needed if not body.get(name)]
        if missing:
            return refused(400, {name: ["This field is required."] for name in missing})
        codes = [code["code"] for code in body["completion_codes"]]
        if len(set(codes)) < len(codes):
            return refused(400, {"completion_codes": ["Codes must be unique."]})
        key = next(self._ids)
        self.studies[key] = {**body, "id": key, "status": "UNPUBLISHED"}
        return good(self._study(key), 201)

    def _study(self, key: str) -> dict[str, Any]:
        study = self.studies[key]
        net = study["reward"] * study["total_available_places"]
        taken = sum(row["study_id"] == key for row in self.submissions.values())
        return {
            **study,
            "currency_code": self.currency,
            "places_taken": taken,
            "total_cost": float(round(net * (1 + FEE))),
        }

    def list_studies(self, *, query: Any, body: Any) -> Response:
        rows = [self._study(key) for key in self.studies]
        if query.get("published") == "0":
            rows = [row for row in rows if row["status"] == "UNPUBLISHED"]
        return self._page(rows, query)

    def get_study(self, key: str, *, query: Any, body: Any) -> Response:
        return good(self._study(key)) if key in self.studies else refused(404, "Not found.")

    def move_study(self, key: str, *, query: Any, body: Any) -> Response:
        study, action = self.studies[key], body.get("action")
        if action not in FROM or study["status"] not in FROM[action]:
            return refused(400, f"Cannot {action} a study that is {study['status']}.")
        if action == "PUBLISH":
            cost = int(self._study(key)["total_cost"])
            if cost > self.balance:
                return refused(400, "Insufficient funds to publish this study.")
            self.balance -= cost
        study["status"] = STATUSES[action]
        return good(self._study(key))

    def list_submissions(self, key: str, *, query: Any, body: Any) -> Response:
        rows = [self._row(row) for row in self.submissions.values() if row["study_id"] == key]
        return self._page(rows, query)

    def _row(self, row: dict[str, Any]) -> dict[str, Any]:
        shown = {name: value for name, value in row.items() if name != "study_id"}
        return {**shown, "bonus_payments": self.paid[row["id"]]} if self.lists_bonuses else shown

    def _page(self, rows: list[Any], query: dict[str, str]) -> Response:
        start = int(query.get("offset", 0))
        limit = min(int(query.get("limit", 20)), self.page)
        return good(
            {
                "results": rows[start : start + limit],
                "meta": {"count": len(rows)},
                "_links": {"next": {"href": "more" if start + limit < len(rows) else None}},
            }
        )

    def get_submission(self, key: str, *, query: Any, body: Any) -> Response:
        row = self.submissions.get(key)
        if row is None:
            return refused(404, "Not found.")
        shown = {"id": key, "status": row["status"], "participant": row["participant_id"]}
        return good({**shown, "bonus_payments": self.paid[key]})

    def move_submission(self, key: str, *, query: Any, body: Any) -> Response:
        row = self.submissions[key]
        if body["action"] == "REJECT" and len(body.get("message", "")) < 100:
            return refused(400, {"message": ["Must be at least 100 characters long."]})
        if row["status"] == "AWAITING REVIEW":
            row["status"] = "REJECTED"
        return good({"id": key, "status": row["status"], "participant": row["participant_id"]})

    def bulk_approve(self, *, query: Any, body: Any) -> Response:
        keys = list(body["submission_ids"])

        def approve() -> None:
            for key in keys:
                self._approve(key)

        self._later(approve)
        return good("Bulk approve in progress")

    def _approve(self, key: str) -> None:
        row = self.submissions[key]
        if row["status"] == "AWAITING REVIEW":
            row["status"] = "APPROVED"
            self.rewarded[key] += 1

    def request_return(self, key: str, *, query: Any, body: Any) -> Response:
        self.asked_to_return[key] += 1
        self.submissions[key]["return_requested"] = "2026-11-02T10:00:00Z"
        return good({"id": key, "status": self.submissions[key]["status"]})

    def set_up(self, *, query: Any, body: Any) -> Response:
        lines = [line.split(",") for line in body["csv_bonuses"].splitlines()]
        strange = [key for key, _amount in lines if key not in self.submissions]
        if strange:
            return refused(400, f"These did not take part: {', '.join(strange)}")
        amounts = {key: int(Decimal(amount) * 100) for key, amount in lines}
        total = sum(amounts.values())
        fees = round(total * FEE)
        key = next(self._ids)
        self.bulks[key] = {"amounts": amounts, "cost": total + fees}
        reply = {"id": key, "study": body["study_id"], "amount": float(total), "vat": 0.0}
        return good({**reply, "fees": float(fees), "total_amount": float(total + fees)}, 201)

    def pay(self, key: str, *, query: Any, body: Any) -> Response:
        """Not idempotent, as documented: each call pays."""
        bulk = self.bulks.get(key)
        if bulk is None:
            return refused(404, "Not found.")
        if bulk["cost"] > self.balance:
            return refused(400, "You do not have enough funds in your account.")
        self.balance -= bulk["cost"]

        def transfer() -> None:
            for who, minor in bulk["amounts"].items():
                self.paid[who].append(minor)

        self._later(transfer)
        return good("The payment is being processed asynchronously.", 202)

    def _later(self, job: Callable[[], None]) -> None:
        if self.in_background:
            self._waiting.append(job)
        else:
            job()


_ID = r"([0-9a-zA-Z-]+)"
_ROUTES: list[tuple[str, Callable[..., Response]]] = [
    (r"GET users/me/", FakeProlific.me),
    (r"POST studies/", FakeProlific.create),
    (r"GET studies/", FakeProlific.list_studies),
    (rf"GET studies/{_ID}/", FakeProlific.get_study),
    (rf"POST studies/{_ID}/transition/", FakeProlific.move_study),
    (rf"GET studies/{_ID}/submissions/", FakeProlific.list_submissions),
    (r"POST submissions/bulk-approve/", FakeProlific.bulk_approve),
    (r"POST submissions/bonus-payments/", FakeProlific.set_up),
    (rf"GET submissions/{_ID}/", FakeProlific.get_submission),
    (rf"POST submissions/{_ID}/transition/", FakeProlific.move_submission),
    (rf"POST submissions/{_ID}/request-return/", FakeProlific.request_return),
    (rf"POST bulk-bonus-payments/{_ID}/pay/", FakeProlific.pay),
]


def good(body: Any, status: int = 200) -> Response:
    return JSONResponse(body, status)


def refused(status: int, detail: Any) -> Response:
    return JSONResponse({"error": {"status": status, "title": "Error", "detail": detail}}, status)


@cache
def private_key(name: str) -> rsa.RSAPrivateKey:
    """A key that Prolific signs by, made once under each name."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def public_jwk(name: str) -> dict[str, Any]:
    """Its public half as a JSON Web Key."""
    key = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(private_key(name).public_key()))
    return {**key, "kid": name, "alg": "RS256", "use": "sig"}
