"""What each step asks, and what its prompt can show."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judges.methods.conversation.steps import Step, Turn, with_slots_of_payload
from judges.methods.vital.replies import Ranking
from tasktypes.importance import IMPORTANCE
from tasktypes.importance.claims import PROMPT as CLAIMS
from tasktypes.importance.claims import SLOTS as OF_RESPONSE
from tasktypes.importance.claims import asked_text
from tasktypes.importance.schema import Answer, Payload
from tasktypes.machines.prompts import Slot, entry, in_lines

RANK, VERIFY, NUGGETS = (
    (Path(__file__).parent / f"prompt_{name}.txt").read_text(encoding="utf-8")
    for name in ("rank", "verify", "nuggets")
)


@dataclass(frozen=True)
class About:
    """A response, and the claims that a call is about, by their numbers."""

    payload: Payload
    claims: Mapping[int, str] = field(default_factory=dict)


def claims_text(claims: Mapping[int, str]) -> str:
    """An entry `number: claim` each."""
    return "\n".join(entry(f"{number}:", text) for number, text in claims.items())


def query_text(payload: Payload) -> str:
    """The query; where there is none, the claim."""
    return asked_text(payload)


def response_text(payload: Payload) -> str:
    """The response with its lines."""
    return in_lines(payload.text)


def _rank_turns(payload: Payload, answer: Answer, _: About) -> Iterator[Turn]:
    claims = {claim.claim: claim for claim in answer.claims if claim.importance is not None}
    whole = not payload.orders_vital or set(claims) == set(answer.order or ())
    if answer.order and whole and all(number in claims for number in answer.order):
        ranking: Any = [
            claims[number].model_dump(mode="json", exclude={"support"}) for number in answer.order
        ]
        shown = About(payload, _all_claims(payload))
        yield shown, Ranking(ranking=ranking).model_dump_json()


def _verify_turns(payload: Payload, answer: Answer, about: About) -> Iterator[Turn]:
    """All claims in one call, or each in its own, as the question is asked."""
    support = {c.claim: c.support for c in answer.claims if c.support is not None}
    numbers = [number for number in range(len(payload.claims)) if number in support]
    is_alone = len(about.claims) == 1 < len(about.payload.claims)
    for group in [[number] for number in numbers] if is_alone else [numbers]:
        if group:
            checked = [{"claim": number, "support": support[number]} for number in group]
            claims = {number: payload.claims[number] for number in group}
            yield About(payload, claims), json.dumps({"claims": checked})


def _nugget_turns(payload: Payload, answer: Answer, _: About) -> Iterator[Turn]:
    if answer.nuggets:
        nuggets = [nugget.model_dump(mode="json") for nugget in answer.nuggets]
        yield About(payload), json.dumps({"nuggets": nuggets})


def _claim_turns(payload: Payload, answer: Answer, _: About) -> Iterator[Turn]:
    yield About(payload), json.dumps({"claims": list(payload.claims)}, ensure_ascii=False)


def _all_claims(payload: Payload) -> dict[int, str]:
    return dict(enumerate(payload.claims))


def _shown_rank(payload: Payload) -> About | None:
    return About(payload, _all_claims(payload)) if payload.ranks else None


def _shown_verify(payload: Payload) -> About | None:
    """The first claim: by default each has a call of its own."""
    return About(payload, {0: payload.claims[0]}) if payload.asks("support") else None


def _shown_nuggets(payload: Payload) -> About | None:
    return About(payload) if payload.asks("nuggets") else None


_ASKED = OF_RESPONSE[0].of(lambda about: about.payload)
_CLAIMS = Slot(
    "claims",
    "the claims of this call, a line `number: text` each",
    lambda about: claims_text(about.claims),
)
_WHOLE = with_slots_of_payload((_ASKED,), IMPORTANCE.slots)
_BY_CLAIM = with_slots_of_payload((_ASKED, _CLAIMS), IMPORTANCE.slots)
STEPS = (
    Step("claims", CLAIMS, _WHOLE, turns=_claim_turns, shown=About),
    Step("rank", RANK, _BY_CLAIM, turns=_rank_turns, shown=_shown_rank),
    Step("verify", VERIFY, _BY_CLAIM, turns=_verify_turns, shown=_shown_verify),
    Step("nuggets", NUGGETS, _WHOLE, turns=_nugget_turns, shown=_shown_nuggets),
)
