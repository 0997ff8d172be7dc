"""Conversations as sources of records: what they become, and what stays as it was."""

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Study
from exports.records import item_lines
from tasktypes.likert import LIKERT
from tasktypes.slider import SLIDER
from tasktypes.texts import material
from tests.imports.small_files import write_lines
from tests.imports.tables import import_files, refusal

pytestmark = pytest.mark.django_db

TURNS = [
    {"role": "system", "text": "Be brief."},
    {"role": "user", "text": "When does the tram run?\nAt night?"},
    {"role": "assistant", "calls": [{"name": "timetable", "arguments": '{"line": 3}'}]},
    {"role": "tool", "name": "timetable", "text": "Line 3: 5:00 to 1:00"},
    {"role": "assistant", "text": "Line 3 runs until one."},
]

ROLES = "system, user, assistant, tool"
NO_SUCH_TURN = f"talk.jsonl:1: items.turns: no such turn (the conversation has 5: {ROLES})"


def record(**item: Any) -> dict[str, Any]:
    return {
        "source": {"key": "tram", "turns": TURNS},
        "items": [{"key": "tram/larch", "system": "Larch", **item}],
    }


def imported(folder: Path, *, block: str, **item: Any) -> Study:
    options = {"per_sentence": True} if block == "turns" else {}
    task_type = SLIDER.slug if block == "slider" else LIKERT.slug
    opening = {"study": {"blocks": [{"task_type": task_type, "options": options}]}}
    return import_files("jsonl", write_lines(folder / "talk.jsonl", [opening, record(**item)]))


def payload_of(study: Study) -> Any:
    return study.questions.get().typed_payload


def asked(folder: Path, *, block: str, **item: Any) -> Any:
    return payload_of(imported(folder, block=block, **item))


def test_a_unit_asks_about_each_turn_of_a_role(tmp_path: Path) -> None:
    study = imported(tmp_path, block="turns", turns="assistant")
    payload = payload_of(study)
    assert payload.sentences == ('timetable({"line": 3})', "Line 3 runs until one.")
    assert [turn.asked for turn in payload.turns] == [False, False, True, False, True]
    assert study.items.get().sentences[1]["turn"] == 4
    assert study.sources.get().material.turns[2].calls[0].name == "timetable"


def test_a_unit_asks_about_turns_by_number(tmp_path: Path) -> None:
    payload = asked(tmp_path, block="whole", turns=[4])
    assert [turn.asked for turn in payload.turns] == [False] * 4 + [True]
    page = LIKERT.Form(payload=payload)
    assert page.judges_conversation
    assert page.parts()[0].turn == 0


def test_a_text_about_a_conversation_is_judged_beside_it(tmp_path: Path) -> None:
    payload = asked(tmp_path, block="slider", text="It runs.")
    assert len(payload.turns) == len(TURNS)
    assert not SLIDER.Form(payload=payload).judges_conversation


def test_judges_read_the_conversation_a_line_per_turn(tmp_path: Path) -> None:
    payload = asked(tmp_path, block="turns", turns="assistant")
    prompt = LIKERT.prompt(payload)
    assert "[2] user:\n        When does the tram run?\n        At night?\n" in prompt
    assert '    calls timetable({"line": 3})' in prompt
    assert "[4] tool timetable: Line 3: 5:00 to 1:00" in prompt
    assert "[5] assistant (in question): Line 3 runs until one." in prompt
    assert "Turns to judge, numbered from 0:" in prompt


def test_each_turn_is_asked_about_by_its_number(tmp_path: Path) -> None:
    payload = asked(tmp_path, block="turns", turns="assistant")
    assert [part.turn for part in LIKERT.Form(payload=payload).parts()] == [3, 5]


def test_without_a_conversation_nothing_that_is_stored_changes() -> None:
    source = material.Source(key="a", claim="It rains.")
    item = material.Item(key="a/b", sentences=(material.Sentence(text="It does."),))
    assert "turns" not in source.model_dump(mode="json")
    assert item.model_dump(mode="json")["sentences"] == [{"text": "It does.", "citations": []}]
    for kind in (LIKERT, SLIDER):
        options: Any = kind.Options()
        payload = kind.payload(source, (item,), {}, options)
        assert "turns" not in json.loads(payload.model_dump_json())


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (
            {"turns": "critic"},
            NO_SUCH_TURN,
        ),
        (
            {"turns": [4, 9]},
            NO_SUCH_TURN,
        ),
        (
            {"turns": [4], "text": "It runs."},
            "talk.jsonl:1: items[0].turns: given beside a text; use one of them",
        ),
    ],
)
def test_turns_that_are_not_there_are_refused(
    item: dict[str, Any], message: str, tmp_path: Path
) -> None:
    assert refusal("jsonl", write_lines(tmp_path / "talk.jsonl", [record(**item)])) == message


def test_a_turn_says_something(tmp_path: Path) -> None:
    silent = record(text="It runs.") | {"source": {"key": "tram", "turns": [{"role": "user"}]}}
    message = refusal("jsonl", write_lines(tmp_path / "talk.jsonl", [silent]))
    assert message == ("talk.jsonl:1: source.turns[0].text: missing (a turn needs text or calls)")


def test_exported_records_make_the_same_study_again(tmp_path: Path) -> None:
    study = imported(tmp_path, block="turns", turns="assistant")
    path = tmp_path / "exported.jsonl"
    path.write_text("".join(item_lines(study)), encoding="utf-8")
    again = import_files("jsonl", path, slug="again")
    assert payload_of(again) == payload_of(study)
    assert again.sources.get().turns == study.sources.get().turns
    assert again.items.get().sentences == study.items.get().sentences
