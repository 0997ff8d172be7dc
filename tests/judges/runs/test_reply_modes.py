"""Every way of replying that we know of, in one run: what is no answer never becomes one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from judges.models import Call
from judges.runs.plans.plan import plan_run
from tests.cast import make_study
from tests.judges.endpoints import Opening, asking_judge
from tests.judges.scripted_judges import ONE_BLOCK, work_all
from tests.services.endpoint import GOOD, Behaviour

pytestmark = pytest.mark.django_db
FAILED = ("parse_failure", "refusal", "truncated", "timeout", "error")


@dataclass(frozen=True)
class Mode:
    """text: what the model says. faults: of the tries, in order. answer: the sentences, where there
    is one; status: of the call otherwise."""

    text: str = GOOD
    faults: tuple[str, ...] = ("",)
    answer: tuple[int, ...] | None = None
    status: str = "parse_failure"


def answered(text: str = GOOD, *faults: str, sentences: tuple[int, ...] = (0,)) -> Mode:
    return Mode(text, faults or ("",), sentences, "answered")


def said(text: str, status: str = "parse_failure") -> Mode:
    return Mode(text, status=status)


def failed(status: str, *faults: str) -> Mode:
    return Mode(faults=faults, status=status)


OTHER = '{"sentences": [1]}'
MODES = {
    # Answers, in whatever they are wrapped.
    "good": answered(),
    "none": answered('{"sentences": []}', sentences=()),
    "fenced": answered(f"```json\n{GOOD}\n```"),
    "in prose": answered(f"The first one. {GOOD} No other [2]."),
    "repeated": answered(f"{GOOD}\nAgain: {GOOD}"),
    "repeated in other words": answered('{"sentences": [0, 0]} or {"sentences":[0]}'),
    "byte order mark": answered(f"\ufeff{GOOD}"),
    "NUL": answered(f"{GOOD}\0"),
    "bad byte": answered(GOOD, "bad-byte"),
    "thought": answered(f"<think>Perhaps {OTHER}?</think>{GOOD}"),
    "thought without a beginning": answered(f"Perhaps {OTHER}?</think>{GOOD}"),
    "second thought": answered(f"<think>a</think> So: <think>{OTHER}</think>{GOOD}"),
    "reasoning apart": answered(GOOD, "reasoning"),
    "reasoning in parts": answered(GOOD, "parts-thinking"),
    "parts": answered(GOOD, "parts"),
    "no usage": answered(GOOD, "no-usage"),
    "429 with a time": answered(GOOD, "429-seconds", ""),
    "500 once": answered(GOOD, "500", ""),
    "error 502 with HTTP 200": answered(GOOD, "error-502", ""),
    "dropped once": answered(GOOD, "drop", ""),
    "set in prose": answered(f"The candidate set is {{0, 1}}. Final: {GOOD}"),
    "sets in prose": answered(f"{{}} and {{{{0}}, {{1}}}}, not {{a, b}}: {GOOD} ({{0}})"),
    "unrelated object": answered(f'{{"confidence": 0.9}} {GOOD}'),
    "comma too many": answered('{"sentences": [0,],}'),
    "typographic quotes": answered("{“sentences”: [0]}"),
    # No answers.
    "comma alone": said('{"sentences": [,]}'),
    "prose": said("I would say the first sentence, number 0."),
    "empty": said(""),
    "blank": said(" \n"),
    "malformed": said('{"sentences": [0,'),
    "other quotes": said("{'sentences': [0]}"),
    "out of range": said('{"sentences": [99]}'),
    "negative": said('{"sentences": [-1]}'),
    "text for a number": said('{"sentences": ["0"]}'),
    "decimal": said('{"sentences": [0.0]}'),
    "true": said('{"sentences": [true]}'),
    "null in JSON": said('{"sentences": null}'),
    "nested": said('{"answer": {"sentences": [0]}}'),
    "name twice": said('{"sentences": [0], "sentences": [1]}'),
    "field too many": said('{"sentences": [0], "why": "so"}'),
    "two answers": said(f"{GOOD} or rather {OTHER}"),
    "a draft that is cut": said(f'{GOOD} or rather {{"sentences": ['),
    "a draft that does not fit": said(f'{{"sentences": "1"}} or {GOOD}'),
    "a draft in other quotes": said(f"{{'sentences': [1]}} or {GOOD}"),
    "a draft in braces": said(f"{{sentences: [1]}} or {GOOD}"),
    "braces around": said(f"{{{GOOD}}}"),
    "a brace too many": said(f"{{ {GOOD}"),
    "only a thought": said(f"<think>{GOOD}"),
    "a later thought without an end": said(f"Well. <think>Perhaps {GOOD}"),
    "a list": said("[0]"),
    "a number": said("0"),
    "lone surrogate in JSON": said('{"sentences": [0], "\\ud800": 1}'),
    "refused in words": said("I’m sorry, but I can’t help with that.", "refusal"),
    "refused": failed("refusal", "refusal"),
    "refused in parts": failed("refusal", "parts-refusal"),
    "filtered reply": failed("refusal", "filtered"),
    "filtered request": failed("refusal", "filter-400"),
    "flagged request": failed("refusal", "error-flagged"),
    "cut": failed("truncated", "truncated"),
    "hangs": failed("timeout", "hang"),
    "null": failed("parse_failure", "null"),
    "tool": failed("parse_failure", "tool-call"),
    "tool and text": failed("parse_failure", "tool-call-and-text"),
    "function": failed("parse_failure", "function-call"),
    "thought alone": failed("parse_failure", "thought-alone"),
    "content of another kind": failed("error", "number"),
    "parts of another kind": failed("error", "parts-untyped"),
    "HTML": failed("error", "html"),
    "stream": failed("error", "stream"),
    "answer as the body": failed("error", "text"),
    "no body": failed("error", "nothing"),
    "body in Latin-1": failed("error", "latin"),
    "no choices": failed("error", "no_choices"),
    "no message": failed("error", "no_message"),
    "other sample": failed("error", "wrong_sample"),
    "other model": failed("error", "wrong_model"),
    "500 for ever": failed("error", "500"),
    "error for ever": failed("error", "error-429"),
    "error without a code": failed("error", "error-unnamed"),
    "reset for ever": failed("error", "drop"),
}


def words(number: int) -> str:
    """What tells the request about a source from all others."""
    return f"The bridge number {number} was closed"


@pytest.fixture
def calls(endpoint: Opening) -> Mapping[str, Call]:
    """The call of each mode, from one run."""
    modes = dict(enumerate(MODES.values()))

    def answer(asked: Mapping[str, Any]) -> str:
        said = asked["messages"][-1]["content"]
        return next(mode.text for number, mode in modes.items() if words(number) in said)

    faults = {words(number): mode.faults for number, mode in modes.items()}
    endpoint(Behaviour(answer=answer, modes=faults), in_flight=16, tries=3, timeout_seconds=0.5)
    study = make_study(blocks=ONE_BLOCK, sources=len(MODES))
    run = work_all(plan_run(study=study, judge=asking_judge(study), subset=""))
    assert run.state == "partial"
    by_claim = {call.question.unit.source.key: call for call in run.calls.all()}
    return {name: by_claim[f"claim-{number}"] for number, name in enumerate(MODES)}


def test_no_reply_becomes_an_answer_that_it_does_not_hold(calls: Mapping[str, Call]) -> None:
    became = {
        name: (call.status, call.annotation and tuple(call.annotation.answer["sentences"]))
        for name, call in calls.items()
    }
    assert became == {name: (mode.status, mode.answer) for name, mode in MODES.items()}
    for name, call in calls.items():
        assert (call.status in FAILED) == bool(call.error), name
        if call.status not in ("timeout", "error") and MODES[name].faults == ("",):
            assert call.reply == MODES[name].text.replace("\0", "�"), name
