"""Signs over answers that are made up: who shows one, who does not, and how few say nothing."""

import gzip
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from desk.worker_records import signs as module
from desk.worker_records.signs import FALSE_ALARMS, KINDS, Given, signs
from tests.desk.worker_records.robots import ROBOTS, shown


def made(people: int = 6, answers: int = 30, **of_last: Any) -> list[Given]:
    """People who take 20 s, draw answers and write nothing; the last one as told."""
    draw = Random(1)
    return [
        Given(person, 1, question, draw.choice("abc"), 20.0 + person)._replace(
            **{
                name: how(question) if callable(how) else how
                for name, how in (of_last if person == people - 1 else {}).items()
            }
        )
        for person in range(people)
        for question in range(answers)
    ]


def names(rows: list[Given]) -> dict[int, list[str]]:
    return {person: [sign.name for sign in each] for person, each in signs(rows).items()}


def test_robots_show_signs_and_one_that_takes_its_time_shows_none() -> None:
    found = shown(4)
    assert set(ROBOTS) <= set(found)
    for sign in ("fast", "unread", "repeated", "untyped"):
        assert found["fast"][sign] == 100
    assert found["constant"]["straight"] == 100
    for sign in ("pasted", "left", "repeated"):
        assert found["pasting"][sign] == 100
    assert found["random"]["any"] == 0
    assert found["careful"]["any"] < 30


def test_nobody_among_equals_shows_a_sign() -> None:
    assert signs(made()) == {}


def test_a_fast_person_is_told_beside_the_others() -> None:
    (sign,) = signs(made(seconds=5.0))[5]
    # The others take 20, 21, 22, 23 and 24 s: their median is 22, and 22 / 5 counts as 3.
    assert (sign.name, sign.value, sign.answers, sign.as_far) == ("fast", 3.0, 30, 0.0)
    (milder,) = signs(made(seconds=10.0))[5]
    assert milder.value == pytest.approx(2.2)


@pytest.mark.parametrize(
    "few", [{"answers": module.LEAST_TIMED - 1}, {"people": module.LEAST_OTHERS}]
)
def test_few_answers_and_few_people_say_nothing_of_speed(few: dict[str, int]) -> None:
    assert signs(made(seconds=1.0, **few)) == {}


def test_only_words_that_are_new_to_the_person_have_to_be_read() -> None:
    new = made(seconds=20.0, shown=lambda question: ((question, 300),))
    assert names(new) == {5: ["unread"]}
    (sign,) = signs(new)[5]
    assert (sign.value, sign.answers, sign.usual) == (1.0, 30, None)
    same = made(seconds=20.0, shown=lambda _question: (("the same", 300),))
    assert signs(same) == {}
    slowly = made(seconds=31.0, shown=lambda question: ((question, 300),))
    assert signs(slowly) == {}


def test_answers_without_a_time_are_not_fast() -> None:
    assert signs(made(seconds=None, shown=lambda question: ((question, 300),))) == {}


def test_a_straight_line_is_a_sign_only_where_the_others_differ() -> None:
    assert names(made(answer="a")) == {5: ["straight"]}
    alike = [row._replace(answer="a") for row in made()]
    assert signs(alike) == {}
    assert signs(made(answer="a", answers=module.LEAST_IN_ROW - 1)) == {}


def test_a_crowd_that_nearly_always_says_yes_draws_no_straight_lines() -> None:
    draw = Random(5)
    rows = [row._replace(answer="no" if draw.random() < 0.03 else "yes") for row in made()]
    assert signs(rows) == {}


def test_texts_that_return_or_are_somebody_elses_are_repeated() -> None:
    text = "the claim about the year is not in the text at all"
    assert names(made(texts=(text,))) == {5: ["repeated"]}
    nearly = made(texts=lambda question: (f"{text}, nor is the place that it names, {question}",))
    assert names(nearly) == {5: ["repeated"]}
    own = made(texts=lambda q: (" ".join(f"w{q}x{at}" for at in range(10)),))
    assert signs(own) == {}
    copied = [
        row._replace(texts=own[5 * 30 + row.question].texts) if row.person == 2 else row
        for row in own
    ]
    assert names(copied) == {2: ["repeated"], 5: ["repeated"]}
    assert signs(made(texts=("not in the text",))) == {}


def test_counts_are_signs_only_where_others_do_not_do_the_same() -> None:
    none = {"pastes": 0, "blurs": 0, "keystrokes": 90, "edits": 0, "bursts": 1}
    quiet = [row._replace(counts=none) for row in made()]

    def with_last(**counts: int) -> list[Given]:
        return [row._replace(counts=none | counts) if row.person == 5 else row for row in quiet]

    assert names(with_last(pastes=1)) == {5: ["pasted"]}
    assert names(with_last(blurs=2)) == {5: ["left"]}
    everybody = [row._replace(counts=none | {"pastes": 1, "blurs": 1}) for row in quiet]
    assert signs(everybody) == {}


def test_a_text_without_keys_is_told_from_a_pasted_one() -> None:
    text = tuple(f"w{at}" for at in range(12))
    counts = {"pastes": 0, "blurs": 0, "keystrokes": 0, "edits": 0, "bursts": 0}
    own: dict[str, Any] = {"texts": lambda q: (" ".join(f"{one}q{q}" for one in text),)}
    assert names(made(counts=counts, **own)) == {5: ["untyped"]}
    assert "untyped" not in names(made(counts=counts | {"pastes": 1}, **own))[5]
    assert signs(made(counts=counts | {"keystrokes": 60}, **own)) == {}


def test_neither_the_order_of_people_nor_their_numbers_matter() -> None:
    rows = made(seconds=5.0, answer="a")
    other = sorted(rows, key=lambda row: -row.person)
    assert names(other) == names(rows) == {5: ["fast", "straight"]}


def test_every_sign_has_its_rate_of_false_alarms() -> None:
    assert list(FALSE_ALARMS) == [kind.name for kind in KINDS]


def test_published_voters_in_a_straight_line(shared_data: Path) -> None:
    """72 % of QAGS's votes are yes, so a long run is hardly a sign by itself."""
    rows, question = [], 0
    with gzip.open(shared_data / "qags-cnndm" / "mturk_cnndm.jsonl.gz", "rt") as lines:
        for line in lines:
            for sentence in json.loads(line)["summary_sentences"]:
                question += 1
                rows += [
                    Given(vote["worker_id"], 1, question, vote["response"])
                    for vote in sentence["responses"]
                ]
    people = {row.person for row in rows}
    enough = [one for one in people if sum(row.person == one for row in rows) >= 20]
    found = signs(rows)
    # One gave 29 equal votes in a row, of 64.
    assert (len(people), len(enough), len(found)) == (162, 29, 1)
