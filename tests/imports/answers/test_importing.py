import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.template.loader import render_to_string

from annotation.models import Annotation, Rater, Study
from exports.tables.answers import answer_lines
from imports.answers import importing as answers
from results.units.page import asked_about
from tests.imports.small_files import import_lines, record, write_bytes, write_lines

pytestmark = pytest.mark.django_db

UNIT = "mill-0/alder/1"


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return import_lines(tmp_path, [record(0), record(1)])


def given(**changes: Any) -> dict[str, Any]:
    return {"unit": UNIT, "rater": "r", "kind": "human", "answer": {"sentences": [1]}} | changes


def import_(folder: Path, *lines: dict[str, Any]) -> None:
    path = write_lines(folder / "answers.jsonl", lines)
    call_command("import_answers", "s", str(path), verbosity=0)


def refusal(folder: Path, *lines: dict[str, Any]) -> str:
    before = (Annotation.objects.count(), Rater.objects.count())
    with pytest.raises(CommandError) as caught:
        import_(folder, *lines)
    line = str(caught.value)
    assert "\n" not in line
    assert (Annotation.objects.count(), Rater.objects.count()) == before
    return line.removeprefix(str(folder / "answers.jsonl"))


def test_answers_are_stored_under_their_imported_raters(tmp_path: Path, study: Study) -> None:
    import_(
        tmp_path,
        given(),
        given(rater="j", kind="judge", answer={"value": 40}),
        given(rater="m", kind="simulated", answer={"sentences": []}),
    )
    stored = {
        (a.rater.name, a.rater.kind, a.question.block.key): a.answer
        for a in study.annotations.select_related("rater", "question__block")
    }
    assert stored == {
        ("r", "human", "citation_recovery"): {"sentences": [1]},
        ("j", "judge", "slider"): {"value": 40.0},
        ("m", "simulated", "citation_recovery"): {"sentences": []},
    }
    assert set(study.raters.values_list("origin", flat=True)) == {"imported"}


def test_one_line_of_a_judge_says_the_family_of_its_model(tmp_path: Path, study: Study) -> None:
    by = {"rater": "j", "kind": "judge"}
    other = {"unit": "mill-1/alder/1"}
    import_(tmp_path, given(**by), given(**by, **other, family="gpt-4"))
    assert study.raters.get(name="j").family == "gpt-4"
    third = given(**by, replicate=1, family="llama")
    assert refusal(tmp_path, third) == ":1: family: 'j' is of gpt-4, not llama"
    assert ":1: family: a person has no" in refusal(tmp_path, given(replicate=1, family="human"))


def test_reasons_are_kept_exported_and_shown_beside_the_answer(
    tmp_path: Path, study: Study
) -> None:
    import_(tmp_path, given(reasons=["It names <b>no</b> source."]), given(rater="s"))
    said = study.annotations.order_by("pk").values_list("reasons", flat=True)
    assert list(said) == [["It names <b>no</b> source."], None]
    lines = [json.loads(line) for line in answer_lines(study)]
    assert [line.get("reasons") for line in lines] == [["It names <b>no</b> source."], None]
    (asked,) = [a for a in asked_about(study.units.get(key=UNIT)) if a.answers]
    shown = {"said": asked.answers[0], "question": asked, "study": study}
    page = render_to_string("results/_answer.html", shown)
    assert "It names &lt;b&gt;no&lt;/b&gt; source." in page


def test_an_imported_answer_has_its_ratings_and_is_counted(tmp_path: Path, study: Study) -> None:
    import_(tmp_path, given(answer={"sentences": [2, 1]}))
    annotation = Annotation.objects.counted().get()
    rating = annotation.ratings.get()
    assert (rating.facet, rating.members) == ("recovery", [1, 2])


def test_new_answers_move_the_revision_on(tmp_path: Path, study: Study) -> None:
    import_(tmp_path, given())
    assert Study.objects.get().revision > study.revision


def test_a_rater_may_answer_more_in_a_second_file(tmp_path: Path, study: Study) -> None:
    import_(tmp_path, given())
    import_(tmp_path, given(answer={"value": 1}), given(replicate=1))
    assert Rater.objects.get().annotations.count() == 3


def test_a_packed_file_comes_in_as_it_is(tmp_path: Path, study: Study) -> None:
    path = write_lines(tmp_path / "a.jsonl.gz", [given()])
    call_command("import_answers", "s", str(path), verbosity=0)
    assert study.annotations.count() == 1


def test_more_answers_than_a_chunk_come_in_whole(tmp_path: Path, study: Study) -> None:
    raters = range(answers.CHUNK + 20)
    import_(tmp_path, *(given(rater=f"r{n}") for n in raters))
    assert study.annotations.count() == len(raters)


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [
        (given(unit="nowhere"), ":2: unit: no unit 'nowhere' in this study"),
        (given(block="quiz"), ":2: block: no block 'quiz' (known: citation_recovery, slider)"),
        (given(block="slider"), ":2: answer.value: missing (and 1 more)"),
        (given(answer={"value": 300}), ":2: answer.value: 300 is not on the scale"),
        (given(answer={"sentences": [7]}), ":2: answer.sentences: there is no sentence 7"),
        (given(answer={"sentences": [-1]}), ":2: block: missing (no block would take this answer)"),
        (given(answer={"colour": 1}), ":2: block: missing (no block would take this answer)"),
        (given(answer=[1]), ":2: answer: input should be"),
        (given(kind="robot"), ":2: kind: input should be 'human', 'judge' or 'simulated'"),
        (given(rater=""), ":2: rater: empty"),
        (given(colour="red"), ":2: colour: unknown field"),
        (given(rater="first", kind="judge"), ":2: kind: 'first' is human, not judge"),
        (given(rater="first"), f":2: unit: 'first' has already answered '{UNIT}'"),
        ({"unit": UNIT}, ":2: rater: missing (and 2 more)"),
    ],
)
def test_a_wrong_answer_is_named_with_its_field(
    tmp_path: Path, study: Study, bad: dict[str, Any], complaint: str
) -> None:
    assert refusal(tmp_path, given(rater="first"), bad).startswith(complaint)


def test_the_same_file_again_is_refused_at_its_first_line(tmp_path: Path, study: Study) -> None:
    import_(tmp_path, given(), given(answer={"value": 1}))
    line = refusal(tmp_path, given(), given(answer={"value": 1}))
    assert line == f":1: unit: 'r' has already answered '{UNIT}'"


def test_a_repeat_in_a_later_chunk_is_found(
    tmp_path: Path, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "CHUNK", 2)
    line = refusal(tmp_path, given(rater="a"), given(rater="b"), given(rater="a"))
    assert line == f":3: unit: 'a' has already answered '{UNIT}'"


def test_nobody_answers_in_the_name_of_a_rater_from_here(tmp_path: Path, study: Study) -> None:
    Rater.objects.create(study=study, name="r", kind="human", origin="here")
    assert refusal(tmp_path, given()) == ":1: rater: 'r' answers here; use another name"


@pytest.mark.parametrize("name", ["humans", "Simulated", "selected", "chains", "ada~gpt"])
def test_what_reports_call_something_else_is_no_name(
    tmp_path: Path, study: Study, name: str
) -> None:
    assert "reports" in refusal(tmp_path, given(rater=name))
    assert refusal(tmp_path, given(rater=name)).startswith(":1: rater: ")


def test_a_known_rater_keeps_its_kind(tmp_path: Path, study: Study) -> None:
    import_(tmp_path, given())
    assert refusal(tmp_path, given(kind="judge")) == ":1: kind: 'r' is human, not judge"


def test_where_two_blocks_would_take_an_answer_its_block_has_to_be_named(tmp_path: Path) -> None:
    blocks = [{"task_type": "slider"}, {"task_type": "slider", "options": {"facet": "clarity"}}]
    import_lines(tmp_path, [{"study": {"blocks": blocks}}, record()])
    one = given(unit="mill-0/alder", answer={"value": 1})
    assert refusal(tmp_path, one).startswith(":1: block: missing (slider, slider-2 would take")
    import_(tmp_path, one | {"block": "slider-2"})
    assert Annotation.objects.get().question.block.key == "slider-2"


def test_a_judge_may_answer_between_the_points_as_its_exports_say(tmp_path: Path) -> None:
    """Judges that weigh the points do; a person cannot."""
    import_lines(tmp_path, [{"study": {"blocks": [{"task_type": "likert"}]}}, record()])
    between = given(unit="mill-0/alder", answer={"scores": {"quality": 3.25}})
    assert "3.25" in refusal(tmp_path, between)
    import_(tmp_path, between | {"rater": "geval", "kind": "judge"})
    assert Annotation.objects.get().answer == {"scores": {"quality": 3.25}}


def test_an_empty_file_of_answers_is_refused(tmp_path: Path, study: Study) -> None:
    assert refusal(tmp_path) == ": records: none in this file"


def test_broken_json_is_named_with_its_line(tmp_path: Path, study: Study) -> None:
    path = write_bytes(tmp_path / "a.jsonl", b"{}]")
    with pytest.raises(CommandError, match=r"a\.jsonl:1: JSON: trailing characters"):
        call_command("import_answers", "s", str(path))


def test_an_unknown_study_is_named(tmp_path: Path, db: None) -> None:
    with pytest.raises(CommandError, match="study nowhere: slug: no such study"):
        call_command("import_answers", "nowhere", str(tmp_path))


def test_the_answers_of_the_demonstration_fit_its_units(db: None, request: Any) -> None:
    folder = request.config.rootpath / "examples" / "demo"
    call_command("apply_study", str(folder / "study.yaml"), verbosity=0)
    call_command("import_answers", "demo", str(folder / "answers.jsonl"), verbosity=0)
    study = Study.objects.get()
    assert set(study.raters.values_list("kind", flat=True)) == {"simulated"}
    answered = study.units.filter(questions__annotations__isnull=False).distinct()
    assert answered.count() > 80
