"""Which statement a variant is about: what people, judges and accepted lists say of it."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotation.answers.record import GivenAnswer, record_answers
from annotation.models import Question, Rater, Study
from generators.rankings import CHECKED, CHOSEN, PEOPLE, UNCHECKED, Ranked, key_statements
from tests.imports.preparation.studies import ROUND, accepted, proposed
from tests.imports.small_files import import_lines, write_lines

pytestmark = pytest.mark.django_db
FIRST, SECOND, THIRD = "It was built in 1911.", "It is green.", "Anna Berg built it."


@pytest.fixture
def bridge(tmp_path: Path, settings: Any) -> Study:
    settings.DATA_DIR = tmp_path / "data"
    options = {"parts": ["importance", "order", "nuggets"]}
    opening = {"title": "B", "blocks": [{"task_type": "importance", "options": options}]}
    item = {"key": "b/a", "system": "Alder", "text": f"{FIRST} {SECOND} {THIRD}"}
    source = {"key": "b", "query": "When was it built?"}
    records = [{"study": opening | {"rounds": [ROUND]}}, {"source": source, "items": [item]}]
    study = import_lines(tmp_path, records)
    study.state = Study.State.DRAFT
    study.save(update_fields=["state"])
    return study


def answer(study: Study, name: str, order: list[int] | None, kind: str = "human") -> None:
    """Every claim vital, put in this order."""
    rater = Rater.objects.create(study=study, name=name, kind=kind, origin="imported")
    question = Question.objects.get(unit__key="b/a")
    nuggets = [{"nugget": n, "support": "not"} for n, _ in enumerate(question.payload["nuggets"])]
    claims = [{"claim": n, "importance": "vital"} for n in range(3)]
    typed = question.typed_answer({"claims": claims, "order": order, "nuggets": nuggets})
    record_answers(rater=rater, given=[GivenAnswer(question, typed)])


def known(study: Study) -> Ranked | None:
    item = study.items.get(key="b/a")
    return key_statements(study, [item]).get(item.pk)


def test_people_count_before_judges_and_lists_and_of_judges_those_with_checked_claims(
    bridge: Study,
) -> None:
    assert known(bridge) is None
    nuggets = [{"text": SECOND, "importance": "okay"}, {"text": FIRST, "importance": "vital"}]
    list_of_query = proposed(bridge, "b", nuggets)
    assert known(bridge) is None
    accepted(list_of_query)
    bridge.preparations.update(provenance={"by": "model"})
    assert known(bridge) == Ranked(FIRST, CHECKED)
    accepted(proposed(bridge, "b/a", [FIRST, SECOND, THIRD]))
    answer(bridge, "judge", [1, 0, 2], "judge")
    assert known(bridge) == Ranked(SECOND, CHECKED)
    answer(bridge, "bot", [0, 1, 2], "simulated")
    for name, order in (("ann", [2, 0, 1]), ("ben", [0, 2, 1]), ("cem", [2, 1, 0])):
        answer(bridge, name, order)
    # Mean places 4/3, 7/3... from 0: the third claim 1/3, the first 1, the second 5/3.
    assert known(bridge) == Ranked(THIRD, PEOPLE)


def test_a_judge_that_ranked_unchecked_sentences_is_said_to_be_unchecked(bridge: Study) -> None:
    answer(bridge, "judge", [1, 0, 2], "judge")
    assert known(bridge) == Ranked(SECOND, UNCHECKED)


@pytest.mark.parametrize(("ranked", "by"), [(True, PEOPLE), (False, CHOSEN)])
def test_the_variant_is_told_what_was_ranked_and_keeps_who_ranked_it(
    bridge: Study, tmp_path: Path, ranked: bool, by: str
) -> None:
    if ranked:
        answer(bridge, "ann", [2, 0, 1])
    reply = json.dumps({"statement": FIRST, "text": f"{SECOND} {THIRD}"})
    file = write_lines(tmp_path / "r.jsonl", [{"unit": "b/a", "step": "variant", "reply": reply}])
    call_command(
        *("generate", "s", "--system", "Alder", "--perturb", "missing"),
        *("--replies", str(file)),
        verbosity=0,
    )
    [journal] = (tmp_path / "data" / "generated" / "s").glob("*.jsonl")
    [line] = map(json.loads, journal.read_text(encoding="utf-8").splitlines())
    prompt = line["calls"][0]["request"]["messages"][0]["content"]
    assert (f"Most important statement: {THIRD}" in prompt) is ranked
    assert line["statement_by"] == by
    statement = THIRD if ranked else FIRST
    metadata = {"statement": statement, "statement_by": by}
    assert bridge.items.get(key="b/a/missing").metadata == metadata
