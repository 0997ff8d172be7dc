"""Votes on pairs of answers, counted as FastChat's own script counts them."""

import json
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Study
from estimates.data.options import Options
from estimates.data.rows import Row
from estimates.metrics.systems.positions import UNKNOWN
from tests.imports.tables import import_files, refusal, skipped
from tests.results.estimates import estimate_study

pytestmark = pytest.mark.django_db

FOLDER = Path(__file__).parents[1] / "foreign" / "arena"
FILES = FOLDER / "human_judgments.json", FOLDER / "gpt4_pair_judgments.json"
# (votes compared, votes that agree) by turn, with ties and without, of its compute_agreement.py.
GPT_4 = {(1, True): (27, 12), (1, False): (16, 11), (2, True): (27, 11), (2, False): (17, 11)}
PEOPLE = {(1, True): (27, 11), (1, False): (17, 9), (2, True): (27, 8), (2, False): (14, 7)}
TIE = "tie"


def written(folder: Path, *votes: Any, name: str = "votes.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(vote) + "\n" for vote in votes), encoding="utf-8")
    return path


def vote(**changes: Any) -> dict[str, Any]:
    about = {"question_id": 1, "model_a": "a", "model_b": "b", "turn": 1}
    return about | {"judge": "expert_1", "winner": "model_a"} | changes


def votes_of(study: Study, turn: int) -> dict[str, dict[str, list[str]]]:
    """Unit to kind of rater to votes."""
    votes: dict[str, dict[str, list[str]]] = {}
    rows = study.annotations.values_list("question__unit__key", "rater__kind", "answer")
    for unit, kind, answer in rows:
        if unit.count("/") == turn:
            of_unit = votes.setdefault(unit, {"human": [], "judge": []})
            of_unit[kind].append(answer["preferred"]["preference"])
    return votes


def counted(pairs: Iterable[tuple[str, str]], ties: bool) -> tuple[int, int]:
    compared = [pair for pair in pairs if ties or TIE not in pair]
    return len(compared), sum(a == b for a, b in compared)


@pytest.mark.parametrize(("turn", "ties"), list(GPT_4))
def test_agreement_is_what_fastchat_counts(turn: int, ties: bool) -> None:
    study = import_files("arena", *FILES)
    votes = votes_of(study, turn).values()
    with_machine = [(v, m) for of in votes for m in of["judge"] for v in of["human"]]
    between_people = [pair for of in votes for pair in combinations(of["human"], 2)]
    assert counted(with_machine, ties) == GPT_4[turn, ties]
    assert counted(between_people, ties) == PEOPLE[turn, ties]


def test_votes_from_either_side_are_about_one_unit_with_texts() -> None:
    study = import_files("arena", *FILES, keep_names=True)
    assert study.units.count() == 3 * 3 * 2
    assert study.annotations.count() == 4 * 18
    kinds = dict(study.raters.values_list("name", "kind"))
    assert kinds == {
        "expert_0": "human",
        "expert_1": "human",
        "expert_2": "human",
        "gpt-4 pair-v2": "judge",
    }
    assert study.sources.get(key="81").query == "Name a river in France."
    assert study.sources.get(key="81/2").query.endswith("Which sea does it reach?")
    texts = [s["text"] for s in study.items.get(key="81/2/larch").sentences]
    assert texts == ["The Loire.", "The Atlantic."]
    assert study.imported["counts"].get("votes_both_bad", 0) > 0


def test_a_judge_of_fastchat_prefers_what_it_prefers_on_both_sides(tmp_path: Path) -> None:
    games = {"model_1": "a", "model_2": "b", "judge": ["gpt-4", "pair-v2"], "turn": 1}
    path = written(
        tmp_path,
        games
        | {"question_id": 1, "g1_winner": "model_2", "g2_winner": "model_2"}
        | {"g1_judgment": "B is shorter. [[B]]", "g2_judgment": "A is shorter. [[A]]"},
        games | {"question_id": 2, "g1_winner": "model_1", "g2_winner": "model_2"},
    )
    study = import_files("arena", path)
    preferred = [a.answer["preferred"]["preference"] for a in study.annotations.order_by("pk")]
    assert preferred == ["second", "tie"]
    reasons = study.annotations.order_by("pk").values_list("reasons", flat=True)
    assert next(iter(reasons)) == ["B is shorter. [[B]]", "A is shorter. [[A]]"]


def test_a_repeated_vote_is_a_replicate(tmp_path: Path) -> None:
    study = import_files("arena", written(tmp_path, vote(), vote(winner="tie")))
    assert list(study.annotations.order_by("pk").values_list("replicate", flat=True)) == [0, 1]


TALK = [{"role": "user", "content": "Why?"}, {"role": "assistant", "content": "So."}]
SINGLE = {"question_id": 2, "model": "a", "judge": ["gpt-4", "single-v1"], "score": 8, "turn": 1}


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (SINGLE, "model_a: missing"),
        (vote(question_id=2, conversation_a="Why? So.", conversation_b=TALK), "not of the form"),
        (vote(question_id=2, conversation_a=["Why?", "So."], conversation_b=TALK), "not of the"),
        (vote(question_id=2, conversation_a=[{"role": "r" * 81, "content": "So."}]), "role: "),
        (vote(question_id=2, model_a="a" * 201), "key: string should have at most 200"),
        (vote(question_id=2, judge="j" * 201), "rater: string should have at most 200"),
        (["a vote"], "record: not an object"),
    ],
)
def test_a_record_of_another_kind_is_left_out_and_the_others_are_used(
    record: Any, reason: str, tmp_path: Path
) -> None:
    others = [vote(judge=judge, conversation_a=TALK, conversation_b=TALK) for judge in "xyz"]
    path = written(tmp_path, *others[:2], record, others[2])
    (listed,) = skipped("arena", path)
    assert listed.startswith("votes.jsonl:3: ")
    assert reason in listed
    study = Study.objects.get(slug="s")
    assert study.imported["counts"]["records_skipped"] == 1
    assert (study.units.count(), study.annotations.count()) == (1, 3)
    study.delete()
    assert "votes.jsonl:3: " in refusal("arena", path)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (vote(winner="a"), "winner: 'a' is none of model_a, model_b, tie, tie (bothbad)"),
        (vote(model_b="a"), "model_b: 'a' is compared with itself"),
        (vote(model_b=None), "model_b: missing"),
        (vote(turn="x"), "turn: 'x' is no number of a turn from 1"),
        ({"model_a": "a", "model_b": "b", "winner": "tie"}, "question_id: missing"),
    ],
)
def test_a_vote_that_does_not_fit_is_named(record: Any, message: str, tmp_path: Path) -> None:
    assert refusal("arena", written(tmp_path, vote(), record)) == f"votes.jsonl:2: {message}"


def position(study: Study) -> dict[str, Row]:
    found = estimate_study(study, Options(resamples=20)).rows
    return {row.raters: row for row in found if row.metric == "position_share"}


def test_the_order_shown_is_that_of_the_file_and_not_of_the_names(tmp_path: Path) -> None:
    """The names of all winners come last in the alphabet; side A wins one vote of four."""
    votes = [
        vote(question_id=1, model_a="z", model_b="a", winner="model_a"),
        *(vote(question_id=n, model_a="a", model_b="z", winner="model_b") for n in (2, 3, 4)),
        vote(question_id=5, model_a="z", model_b="a", winner="tie"),
    ]
    study = import_files("arena", written(tmp_path, *votes))
    shown = study.units.get(key="1/a~z").unit_items.order_by("position")
    assert list(shown.values_list("item__system", flat=True)) == ["z", "a"]
    won = study.annotations.order_by("pk").values_list("ratings__label", flat=True)
    assert list(won) == ["z"] * 4 + ["tie"]
    (row,) = position(study).values()
    assert (row.estimate.value, row.estimate.n_ratings) == (1 / 4, 4)


def test_a_pair_shown_in_both_orders_says_nothing_of_position(tmp_path: Path) -> None:
    votes = [
        vote(judge="expert_1", winner="model_a"),
        vote(judge="expert_2", model_a="b", model_b="a", winner="model_a"),
    ]
    study = import_files("arena", written(tmp_path, *votes))
    assert list(study.annotations.order_by("pk").values_list("ratings__label", flat=True)) == [
        "a",
        "b",
    ]
    (row,) = position(study).values()
    assert row.estimate.value is None
    assert row.estimate.undefined == UNKNOWN


def test_a_judge_that_saw_both_orders_says_nothing_of_position(tmp_path: Path) -> None:
    games = {"model_1": "b", "model_2": "a", "judge": ["gpt-4", "pair-v2"], "turn": 1}
    games |= {"question_id": 1, "g1_winner": "model_1", "g2_winner": "model_1"}
    study = import_files("arena", written(tmp_path, games))
    (row,) = position(study).values()
    assert row.estimate.value is None
