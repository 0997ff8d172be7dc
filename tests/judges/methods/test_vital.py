"""VITAL: rank, verify, look for facts; every part only where it is asked."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from judges.backends.contract import Failure
from judges.methods.asks import AskOutcome
from judges.methods.vital import Vital
from tasktypes.importance import IMPORTANCE
from tasktypes.importance.metrics import scores
from tasktypes.importance.schema import Answer, Options, Payload
from tasktypes.texts.material import Item, Sentence, Source
from tests.judges.methods.conversations import ask, prompt, ready, steps

GIVEN = IMPORTANCE.example
RANKING = [
    {"claim": 1, "importance": "vital"},
    {"claim": 2, "importance": "vital"},
    {"claim": 0, "importance": "less-important"},
]
NUGGETS = [{"nugget": 1, "support": "not"}, {"nugget": 0, "support": "supported"}]
SUPPORT = ["supported", "supported", "unsupported"]
GOOD = {
    "rank": {"ranking": RANKING},
    **{
        f"verify {number}": {"claims": [{"claim": number, "support": label}]}
        for number, label in enumerate(SUPPORT)
    },
    "nuggets": {"nuggets": NUGGETS},
}


def payload(**options: Any) -> Payload:
    return IMPORTANCE.payload(GIVEN.source, GIVEN.items, GIVEN.focus, Options(**options))


def outcome(
    folder: Path, replies: dict[str, Any], *, asks: Payload | None = None, **parameters: Any
) -> AskOutcome:
    return ready(Vital, folder, replies, **parameters).answer(ask(IMPORTANCE, asks or payload()))


def failure(found: AskOutcome) -> tuple[Failure | None, str, str]:
    assert found.answer is None
    last = found.replies[-1]
    return last.failure, last.step, last.error


# --- What it answers ------------------------------------------------------------------------------


def test_rank_verify_and_facts_make_the_answer(tmp_path: Path) -> None:
    found = outcome(tmp_path, GOOD)
    assert found.answer == Answer.model_validate(GIVEN.answer)
    assert steps(found) == ["rank", "verify 0", "verify 1", "verify 2", "nuggets"]
    IMPORTANCE.check(payload(), found.answer)


@pytest.mark.parametrize(
    "label",
    ["less important", "Less Important", "less_important", "LESS-IMPORTANT", " less - important "],
)
def test_a_label_is_read_however_its_two_words_are_joined(tmp_path: Path, label: str) -> None:
    ranking = [*RANKING[:2], {"claim": 0, "importance": label}]
    found = outcome(tmp_path, {**GOOD, "rank": {"ranking": ranking}})
    assert found.answer == Answer.model_validate(GIVEN.answer)


@pytest.mark.parametrize(
    "label", ["lessimportant", "important", "not important", "less", "un supported"]
)
def test_another_label_is_none_of_those_offered(tmp_path: Path, label: str) -> None:
    ranking = [*RANKING[:2], {"claim": 0, "importance": label}]
    found = outcome(tmp_path, {**GOOD, "rank": {"ranking": ranking}}, ask_again=0)
    assert failure(found)[0] is Failure.PARSE_FAILURE


def test_claims_are_verified_together_where_that_is_asked_for(tmp_path: Path) -> None:
    both = {"claims": [{"claim": i, "support": one} for i, one in enumerate(SUPPORT)]}
    found = outcome(tmp_path, {**GOOD, "verify": both}, verify="together")
    assert found.answer == Answer.model_validate(GIVEN.answer)
    assert steps(found) == ["rank", "verify", "nuggets"]


@pytest.mark.parametrize(
    ("parts", "asked"),
    [
        (["importance"], ["rank"]),
        (["order"], ["rank"]),
        (["support"], ["verify 0", "verify 1", "verify 2"]),
        (["nuggets"], ["nuggets"]),
        (["importance", "nuggets"], ["rank", "nuggets"]),
    ],
)
def test_only_the_parts_of_the_block_are_asked_and_answered(
    tmp_path: Path, parts: list[str], asked: list[str]
) -> None:
    question = payload(parts=parts)
    found = outcome(tmp_path, GOOD, asks=question)
    assert steps(found) == asked
    assert isinstance(found.answer, Answer)
    IMPORTANCE.check(question, found.answer)
    method = ready(Vital, tmp_path, GOOD)
    assert method.plan(ask(IMPORTANCE, question)).calls == len(asked)


def test_a_question_without_facts_is_not_asked_about_any(tmp_path: Path) -> None:
    bare = GIVEN.source.model_copy(update={"nuggets": ()})
    question = IMPORTANCE.payload(bare, GIVEN.items, GIVEN.focus, Options())
    found = outcome(tmp_path, GOOD, asks=question)
    assert "nuggets" not in steps(found)


def test_where_nothing_is_asked_the_question_fails(tmp_path: Path) -> None:
    bare = GIVEN.source.model_copy(update={"nuggets": ()})
    question = IMPORTANCE.payload(bare, GIVEN.items, GIVEN.focus, Options(parts=("nuggets",)))
    found = outcome(tmp_path, GOOD, asks=question)
    assert failure(found)[:2] == (Failure.ERROR, "")


# --- What each step may know ----------------------------------------------------------------------


def test_importance_is_judged_without_documents_and_support_without_labels(tmp_path: Path) -> None:
    found = outcome(tmp_path, GOOD)
    rank, verify = prompt(found, "rank"), prompt(found, "verify 2")
    assert "When was the lighthouse on Gull Island built" in rank
    assert "2: The navy built the lighthouse." in rank
    assert "harbour guild" not in rank
    assert "harbour guild" in verify
    assert "2: The navy built the lighthouse." in verify
    assert "electric light" not in verify.partition("Claims by their numbers")[2]
    assert "vital" not in verify
    assert "0: It was built in 1871." in prompt(found, "nuggets")


def test_a_claim_stands_for_the_query_where_there_is_none(tmp_path: Path) -> None:
    source = Source(key="a", claim="The ferry sank.", document="It sails.")
    item = Item(key="a/x", sentences=(Sentence(text="It sails daily."),))
    question = IMPORTANCE.payload(source, [item], {}, Options(parts=("importance",)))
    replies = {"rank": {"ranking": [{"claim": 0, "importance": "vital"}]}}
    assert "The ferry sank." in prompt(outcome(tmp_path, replies, asks=question), "rank")


# --- Replies that are no answer -------------------------------------------------------------------


def with_label(label: str) -> dict[str, Any]:
    return {"ranking": [{**RANKING[0], "importance": label}, *RANKING[1:]]}


def test_an_unknown_label_is_asked_again_and_the_reply_is_kept(tmp_path: Path) -> None:
    replies = {**GOOD, "rank": [with_label("crucial"), with_label("essential"), GOOD["rank"]]}
    found = outcome(tmp_path, replies)
    assert found.answer == Answer.model_validate(GIVEN.answer)
    assert steps(found)[:3] == ["rank"] * 3
    assert [reply.request["sample"] for reply in found.replies[:3]] == [0, 1, 2]
    assert [reply.failure for reply in found.replies[:3]] == [Failure.PARSE_FAILURE] * 2 + [None]
    assert "'essential' is none of vital, okay, less-important" in prompt(found, "rank")


def test_an_unknown_label_is_asked_again_five_times_and_then_fails(tmp_path: Path) -> None:
    found = outcome(tmp_path, {**GOOD, "rank": [with_label("crucial")] * 7})
    assert steps(found) == ["rank"] * 6
    kind, step, reason = failure(found)
    assert (kind, step) == (Failure.PARSE_FAILURE, "rank")
    assert "'crucial'" in reason


def test_how_often_is_a_parameter(tmp_path: Path) -> None:
    found = outcome(tmp_path, {**GOOD, "rank": [with_label("crucial")] * 7}, ask_again=1)
    assert steps(found) == ["rank"] * 2


def test_labels_of_support_and_facts_are_asked_again_too(tmp_path: Path) -> None:
    unclear = {"claims": [{"claim": 1, "support": "unclear"}]}
    vague = {"nuggets": [{**NUGGETS[0], "support": "vaguely"}, NUGGETS[1]]}
    replies = {
        **GOOD,
        "verify 1": [unclear, GOOD["verify 1"]],
        "nuggets": [vague, GOOD["nuggets"]],
    }
    found = outcome(tmp_path, replies)
    assert found.answer == Answer.model_validate(GIVEN.answer)
    assert steps(found).count("verify 1") == steps(found).count("nuggets") == 2


def test_a_label_is_read_whatever_its_case(tmp_path: Path) -> None:
    found = outcome(tmp_path, {**GOOD, "rank": with_label(" Vital ")})
    assert found.answer == Answer.model_validate(GIVEN.answer)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "empty"),
        ("Sure, here is the ranking.", "no JSON object"),
        ('{"ranking": [', "malformed"),
        ({"ranking": RANKING[:2]}, "number 0 is missing"),
        ({"ranking": [*RANKING, RANKING[0]]}, "number 1 is labelled twice"),
        ({"ranking": [*RANKING, {"claim": 3, "importance": "okay"}]}, "no number 3"),
        ({"ranking": [{"claim": "one", "importance": "vital"}]}, "ranking.0.claim"),
        ({"order": [1, 2, 0]}, "ranking"),
    ],
)
def test_a_malformed_reply_is_not_asked_again(tmp_path: Path, reply: Any, reason: str) -> None:
    found = outcome(tmp_path, {**GOOD, "rank": reply})
    assert steps(found) == ["rank"]
    kind, _, error = failure(found)
    assert kind == Failure.PARSE_FAILURE
    assert reason in error


def test_a_reply_about_another_claim_is_no_answer(tmp_path: Path) -> None:
    found = outcome(tmp_path, {**GOOD, "verify 1": GOOD["verify 2"]})
    assert failure(found)[:2] == (Failure.PARSE_FAILURE, "verify 1")


# --- Claims of its own ----------------------------------------------------------------------------


def test_its_own_claims_are_assessed_apart_and_kept_with_their_scores(tmp_path: Path) -> None:
    replies = {
        **GOOD,
        "claims": {"claims": ["It dates from 1871.", "The navy built it."]},
        "own rank": {"ranking": [{"claim": 1, "importance": "vital"},
                                 {"claim": 0, "importance": "vital"}]},
        "own verify 0": {"claims": [{"claim": 0, "support": "supported"}]},
        "own verify 1": {"claims": [{"claim": 1, "support": "unsupported"}]},
    }  # fmt: skip
    found = outcome(tmp_path, replies, claims="own")
    assert found.answer == Answer.model_validate(GIVEN.answer)
    assert steps(found)[-4:] == ["claims", "own rank", "own verify 0", "own verify 1"]
    own = found.replies[-1].detail["own"]
    assert own["claims"][1] == {
        "text": "The navy built it.",
        "label": "vital",
        "support": "unsupported",
    }
    assert own["order"] == [1, 0]
    assert own["scores"]["vital_precision"] == 0.5
    assert own["scores"]["vital_unsupported"] == 1.0


# --- What it costs, what it shows -----------------------------------------------------------------


def test_the_plan_counts_a_call_for_each_claim(tmp_path: Path) -> None:
    question = ask(IMPORTANCE, payload())
    each = ready(Vital, tmp_path, GOOD).plan(question)
    together = ready(Vital, tmp_path, GOOD, verify="together").plan(question)
    own = ready(Vital, tmp_path, GOOD, claims="own").plan(question)
    assert (each.calls, together.calls) == (5, 3)
    assert own.calls > each.calls
    assert each.tokens_in is not None
    assert together.tokens_in is not None
    assert each.tokens_in > together.tokens_in


def test_the_page_shows_every_prompt_that_is_used(tmp_path: Path) -> None:
    plain = ready(Vital, tmp_path, GOOD).prompt_text(IMPORTANCE)
    own = ready(Vital, tmp_path, GOOD, claims="own").prompt_text(IMPORTANCE)
    assert all(heading in plain for heading in ("Rank:", "Verify:", "Nuggets:"))
    assert "Claims:" in own
    assert "Claims:\n" not in plain


# --- The published labels, through the judge ------------------------------------------------------


def test_published_labels_replayed_have_the_published_scores(
    shared_data: Path, tmp_path: Path
) -> None:
    path = shared_data / "vitalerrors-nq" / "gpt-4o_normal.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    assert len(records) == 50
    options = Options(parts=("importance", "order", "support"), gaps="allowed")
    for record in records:
        claims = [claim for part in record["decomposition"] for claim in part["decomp"]]
        numbers = {claim["id"]: number for number, claim in enumerate(claims)}
        item = Item(key="nq/x", sentences=(Sentence(text=record["response"]["text"]),))
        focus = {"claims": [claim["text"] for claim in claims]}
        source = Source(key="nq", query=record["query"])
        question = IMPORTANCE.payload(source, [item], focus, options)
        order = [numbers[name] for name in record["subclaim-importance-order"]]
        replies = {
            "rank": {
                "ranking": [{"claim": i, "importance": claims[i]["importance"]} for i in order]
            },
            "verify": {
                "claims": [
                    {"claim": i, "support": "supported" if one["judgment"] else "unsupported"}
                    for i, one in enumerate(claims)
                ]
            },
        }
        found = outcome(tmp_path, replies, asks=question, verify="together")
        assert isinstance(found.answer, Answer)
        ours = scores(found.answer, weights="published", as_published=True)
        published = record["scores"]
        assert ours["vital_precision"] == pytest.approx(published["vital-precision"], abs=1e-12)
        assert ours["weighted_precision"] == pytest.approx(
            published["weighted-precision"], abs=1e-12
        )
        assert ours["linear_decay"] == pytest.approx(published["linear-decay-precision"], abs=1e-12)
