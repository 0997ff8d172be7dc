from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import CommandError, call_command

from annotation.answers.record import GivenAnswer, record_answers
from annotation.models import (
    Annotation,
    Assignment,
    LedgerRow,
    Participation,
    Place,
    Rater,
    Source,
    Study,
    Worker,
)
from annotation.work.assignment import lease_batch
from tests.cast import make_user
from tests.imports.small_files import control, record, write_lines

pytestmark = pytest.mark.django_db

PILOT = {"name": "pilot", "counts": False, "batch": {"normal": 1}, "expected_minutes": 5}
MAIN = {"name": "main", "batch": {"normal": 1}, "expected_minutes": 5, "pay": {"base": "2.70"}}
ETHICS = {
    "board": "Example board",
    "reference": "E-1",
    "contact": "contact@example.org",
    "controller": "Example university",
    "lawful_basis": "consent",
    "retention_days": 365,
    "minimum_age": 18,
}
TO_OPEN: dict[str, Any] = {
    "instructions": "Read.",
    "consent": "Taking part is voluntary.",
    "ethics": ETHICS,
}


def described(**changes: Any) -> dict[str, Any]:
    blocks = [{"task_type": "citation_recovery"}, {"task_type": "slider"}]
    plain = {"slug": "mills", "title": "Mills", "blocks": blocks, "items": ["items.jsonl"]}
    return plain | TO_OPEN | {"setting": "sample", "overlap": 2, "rounds": [PILOT, MAIN]} | changes


def apply(folder: Path, **changes: Any) -> Study:
    path = folder / "study.yaml"
    path.write_text(yaml.safe_dump(described(**changes)), encoding="utf-8")
    call_command("apply_study", str(path), verbosity=0)
    return Study.objects.get(slug="mills")


def refusal(folder: Path, **changes: Any) -> str:
    with pytest.raises(CommandError) as caught:
        apply(folder, **changes)
    line = str(caught.value)
    assert "\n" not in line
    return line.removeprefix(str(folder / "study.yaml")).removeprefix(": ")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_lines(tmp_path / "items.jsonl", [record(n) for n in range(3)])
    return tmp_path


@pytest.fixture
def mills(folder: Path) -> Study:
    return apply(folder)


def lease(study: Study, round_: str = "main") -> Assignment:
    """A batch in the hands of a worker."""
    Study.objects.filter(pk=study.pk).update(state=Study.State.OPEN)
    number = study.participations.count() + 1
    worker = Worker.objects.create(panel="test", external_id=str(number))
    participation = Participation.objects.create(
        study=study, worker=worker, number=number, state=Participation.State.CONSENTED
    )
    batch = lease_batch(
        participation=participation,
        round_=study.rounds.get(name=round_),
        now=datetime(2026, 1, 1, tzinfo=UTC),
    )
    assert isinstance(batch, Assignment)
    return batch


def answer(study: Study, in_round: str = "") -> Annotation:
    """An answer of an imported rater, or of one round."""
    question = study.questions.filter(block__position=0).select_related("block").first()
    assert question is not None
    assert question.typed_reference is not None
    rater = Rater.objects.create(study=study, name="r", kind="human", origin="imported")
    round_ = study.rounds.filter(name=in_round).first()
    given = GivenAnswer(question, question.typed_reference, round=round_)
    return record_answers(rater=rater, given=[given])[0]


def state(study: Study) -> dict[str, Any]:
    """All that a second application must leave as it is."""
    rows = {
        name: list(getattr(study, name).order_by("pk").values())
        for name in ("sources", "items", "units", "questions", "blocks", "rounds", "subsets")
    }
    places = list(Place.objects.order_by("pk").values())
    return rows | {"study": Study.objects.filter(pk=study.pk).values().get(), "places": places}


# --- Creating -----------------------------------------------------------------------------------


def test_a_study_file_becomes_a_study_with_its_material_and_places(mills: Study) -> None:
    assert (mills.title, mills.overlap, mills.state) == ("Mills", 2, Study.State.DRAFT)
    assert [(r.name, r.counts) for r in mills.rounds.all()] == [("pilot", False), ("main", True)]
    assert (mills.units.count(), mills.questions.count()) == (6, 12)
    assert Place.objects.filter(wanted=2, unit__subsets__name="sample").count() == 3 * 2
    assert Place.objects.count() == 3 * 2


def test_places_are_given_out_in_an_order_that_the_seed_draws(folder: Path) -> None:
    def order(seed: int) -> list[str]:
        Study.objects.all().delete()
        apply(folder, seed=seed, setting="")
        return list(Place.objects.order_by("shuffle").values_list("unit__key", flat=True))

    assert order(1) == order(1)
    assert order(1) != order(2)


def test_applying_a_file_twice_changes_nothing(
    folder: Path, mills: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    before = state(mills)
    assert state(apply(folder)) == before
    assert "already as its file says" in capsys.readouterr().out


def test_an_owner_added_to_a_study_that_is_there_is_named(
    folder: Path, mills: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    make_user("intern")
    call_command("apply_study", str(folder / "study.yaml"), owner="intern")
    assert "now an owner: intern" in capsys.readouterr().out
    call_command("apply_study", str(folder / "study.yaml"), owner="intern")
    said = capsys.readouterr().out
    assert "already as its file says" in said
    assert "owner:" not in said


def test_the_demonstration_study_applies_twice() -> None:
    path = settings.BASE_DIR / "examples" / "demo" / "study.yaml"
    call_command("apply_study", str(path), verbosity=0)
    study = Study.objects.get(slug="demo")
    before = state(study)
    call_command("apply_study", str(path), verbosity=0)
    assert state(study) == before
    assert {place.role for place in Place.objects.all()} == {"normal", "positive", "negative"}


def test_a_study_without_its_items_is_not_created(tmp_path: Path) -> None:
    line = refusal(tmp_path)
    assert line == f"{tmp_path / 'items.jsonl'}: file: No such file or directory"
    assert not Study.objects.exists()


def test_a_wrong_record_names_its_own_file_and_leaves_nothing(folder: Path) -> None:
    write_lines(folder / "items.jsonl", [record(0), record(1, colour="red")])
    path = folder / "study.yaml"
    path.write_text(yaml.safe_dump(described()), encoding="utf-8")
    with pytest.raises(CommandError) as caught:
        call_command("apply_study", str(path), strict=True)
    assert str(caught.value) == f"{folder / 'items.jsonl'}:2: colour: unknown field"
    assert not Study.objects.exists()


# --- Changes that are allowed -------------------------------------------------------------------


def test_texts_pay_and_limits_change_whatever_was_answered(folder: Path, mills: Study) -> None:
    lease(mills)
    answer(mills, "main")
    write_lines(folder / "more.jsonl", [control(9, round="main")])
    kept = {"batch": {"normal": 1, "positive": 1}, "keep": 0.5}
    kept |= {"max_batches": 1, "min_controls": 1}
    rounds = [PILOT, MAIN | {"pay": {"base": "3.00"}} | kept]
    consent = {"version": "2", "text": "New."}
    items = ["items.jsonl", "more.jsonl"]
    texts = {"title": "New", "instructions": "New.", "consent": consent}
    study = apply(folder, items=items, rounds=rounds, **texts)
    assert (study.title, study.instructions, study.consent_version) == ("New", "New.", "2")
    main = study.rounds.get(name="main")
    assert (str(main.base_pay), main.keep_accuracy) == ("3.00", 0.5)
    assert study.annotations.count() == 1


def test_a_change_moves_the_revision_on(folder: Path, mills: Study) -> None:
    assert apply(folder, title="New").revision == mills.revision + 1


def test_more_overlap_opens_room_in_every_place(folder: Path, mills: Study) -> None:
    answer(mills)
    lease(mills)
    apply(folder, overlap=4)
    assert set(Place.objects.values_list("wanted", flat=True)) == {4}


def test_a_new_round_gets_places_of_its_own(folder: Path, mills: Study) -> None:
    lease(mills)
    study = apply(folder, rounds=[PILOT, MAIN | {"name": "middle"}, MAIN])
    assert [row.name for row in study.rounds.all()] == ["pilot", "middle", "main"]
    assert Place.objects.filter(round__name="middle").count() == 3


def test_rounds_may_change_their_order(folder: Path, mills: Study) -> None:
    study = apply(folder, rounds=[MAIN, PILOT])
    assert [row.name for row in study.rounds.all()] == ["main", "pilot"]
    assert Place.objects.count() == 6


def test_a_further_file_of_items_is_taken_in_beside_the_answers(folder: Path, mills: Study) -> None:
    answer(mills)
    write_lines(folder / "more.jsonl", [record(7)])
    study = apply(folder, items=["items.jsonl", "more.jsonl"])
    assert (study.sources.count(), study.annotations.count()) == (4, 1)
    assert study.imported["counts"]["sources"] == 4
    assert Place.objects.filter(unit__source__key="mill-7").count() == 2


def test_before_any_work_changed_items_are_loaded_anew(folder: Path, mills: Study) -> None:
    write_lines(folder / "items.jsonl", [record(8), control(9, round="main")])
    apply(folder)
    assert set(Source.objects.values_list("key", flat=True)) == {"mill-8", "mill-9"}


def test_before_any_work_blocks_may_change(folder: Path, mills: Study) -> None:
    study = apply(folder, blocks=[{"task_type": "slider"}])
    assert [block.key for block in study.blocks.all()] == ["slider"]
    assert (study.sources.count(), study.questions.count()) == (3, 3)


def test_before_any_work_the_seed_may_change(folder: Path, mills: Study) -> None:
    before = set(Place.objects.values_list("shuffle", flat=True))
    assert apply(folder, seed=9).seed == 9
    assert before.isdisjoint(Place.objects.values_list("shuffle", flat=True))


def test_before_any_batch_the_setting_may_change(folder: Path, mills: Study) -> None:
    answer(mills)
    apply(folder, setting="full")
    assert Place.objects.count() == 6 * 2


# --- What an open study keeps -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "lacking"),
    [
        ({"consent": None}, "a consent text with its version"),
        ({"instructions": ""}, "instructions for the workers"),
        ({"ethics": ETHICS | {"board": "Replace with your board"}}, "ethics entries: board"),
        ({"recruitment": {"panel": "prolific"}}, "recruitment entries: completion_code"),
        ({"rounds": [PILOT, MAIN | {"expected_minutes": None}]}, "round main: expected_minutes"),
    ],
)
def test_an_open_study_keeps_what_one_does_not_open_without(
    folder: Path, mills: Study, changes: Any, lacking: str
) -> None:
    Study.objects.update(state=Study.State.OPEN)
    before = state(mills)
    line = refusal(folder, **changes)
    assert line.startswith(f"state: the study is open, and needs {lacking}")
    assert state(mills) == before
    Study.objects.update(state=Study.State.CLOSED)
    apply(folder, **changes)


def test_what_an_open_study_lacked_before_stands_in_the_way_of_nothing_else(
    folder: Path, mills: Study
) -> None:
    apply(folder, instructions="")
    Study.objects.update(state=Study.State.OPEN)
    assert apply(folder, instructions="", title="New").title == "New"
    assert refusal(folder, instructions="", consent=None).endswith(
        "needs a consent text with its version"
    )


# --- Judges of the file and of the page ---------------------------------------------------------

OWN = {"name": "mine", "method": "lexical"}


def add_on_page(study: Study, **definition: Any) -> None:
    study.refresh_from_db()
    others = [one for one in study.judges if one["name"] != definition["name"]]
    study.judges = [*others, definition]
    study.save(update_fields=["judges"])


def test_judges_added_on_the_page_stay_when_the_file_comes_again(folder: Path) -> None:
    of_file = {"name": "file", "method": "lexical"}
    add_on_page(apply(folder, judges=[of_file]), **OWN)
    assert apply(folder, judges=[of_file]).judges == [of_file, OWN]
    assert apply(folder, judges=[of_file | {"family": "f"}]).judges[1] == OWN
    assert apply(folder, judges=[]).judges == [OWN]


def test_a_judge_replaced_on_the_page_stays_until_the_file_says_otherwise(folder: Path) -> None:
    add_on_page(apply(folder, judges=[OWN]), **OWN, family="page")
    assert apply(folder, judges=[OWN]).judges == [OWN | {"family": "page"}]
    # Also where everything else is made anew.
    assert apply(folder, judges=[OWN], seed=3).judges == [OWN | {"family": "page"}]
    assert apply(folder, judges=[OWN | {"family": "new"}], seed=3).judges[0]["family"] == "new"


def test_of_studies_whose_file_is_not_remembered_only_new_names_are_the_pages(
    folder: Path,
) -> None:
    study = apply(folder, judges=[OWN])
    add_on_page(study, name="other", method="lexical")
    del study.imported["judges"]
    study.save()
    changed = apply(folder, judges=[OWN | {"family": "new"}]).judges
    assert [(one["name"], one.get("family")) for one in changed] == [
        ("mine", "new"),
        ("other", None),
    ]


# --- Files that name only what they change --------------------------------------------------------


def apply_alone(folder: Path, **keys: Any) -> Study:
    """Apply a file of these keys and the slug."""
    path = folder / "part.yaml"
    path.write_text(yaml.safe_dump({"slug": "mills", **keys}), encoding="utf-8")
    call_command("apply_study", str(path), verbosity=0)
    return Study.objects.get(slug="mills")


def fields(study: Study) -> dict[str, Any]:
    rows: list[Any] = [study.blocks, study.rounds, study.units, study.questions]
    plain = Study.objects.filter(pk=study.pk).values().get()
    plain["imported"] = {k: v for k, v in plain["imported"].items() if k != "judges"}
    places = Place.objects.filter(round__study=study).order_by("pk")
    return plain | {"rows": [list(rows.values()) for rows in (*rows, places)]}


def test_a_file_of_judges_alone_changes_nothing_else(
    folder: Path, mills: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    before = fields(mills)
    capsys.readouterr()
    after = fields(apply_alone(folder, judges=["lexical"]))
    assert "changed: judges\n" in capsys.readouterr().out
    assert after.pop("judges") == ["lexical"]
    assert {name: before[name] for name in after} | {"revision": 0} == after | {"revision": 0}
    assert fields(apply_alone(folder))["judges"] == ["lexical"]


def test_an_imported_study_keeps_its_setting_when_a_file_adds_a_judge(folder: Path) -> None:
    path = write_lines(folder / "records.jsonl", [{"study": {"setting": "sample"}}, record()])
    call_command("import_study", "jsonl", str(path), slug="mills", verbosity=0)
    assert apply_alone(folder, judges=["lexical"]).setting == "sample"
    # Also where the file repeats the blocks.
    blocks = [{"task_type": "citation_recovery"}, {"task_type": "slider"}]
    assert apply_alone(folder, title="Mills", blocks=blocks).setting == "sample"
    assert apply_alone(folder, setting="full").setting == "full"


def test_what_a_file_names_is_checked_with_what_it_leaves_out(folder: Path, mills: Study) -> None:
    apply_alone(folder, max_batches_per_worker=1)
    graded = MAIN | {"batch": {"normal": 1, "positive": 1}, "keep": 0.7, "min_controls": 2}
    with pytest.raises(CommandError, match="2 can never be reached"):
        apply_alone(folder, rounds=[graded])
    assert apply_alone(folder, rounds=[PILOT]).rounds.count() == 1
    assert apply_alone(folder, rounds=[]).rounds.count() == 0


def test_a_new_study_needs_a_whole_file(folder: Path) -> None:
    with pytest.raises(CommandError, match="title: missing"):
        apply_alone(folder, judges=["lexical"])


def test_what_facets_are_compared_with_may_change_under_answers(folder: Path, mills: Study) -> None:
    """It shapes no question. What an import says of a scale stays."""
    answer(mills)
    slider = mills.blocks.get(key="slider")
    slider.options |= {"ends_observed": True}
    slider.save()
    questions = list(mills.questions.values("pk", "payload"))
    blocks = [
        {"task_type": "citation_recovery"},
        {"task_type": "slider", "options": {"compared_with": ["recovery"]}},
    ]
    revision = Study.objects.get(pk=mills.pk).revision
    revised = apply(folder, blocks=blocks).revision
    assert revised == revision + 1
    slider.refresh_from_db()
    (facet,) = slider.facets
    assert (facet.compared_with, facet.ends_observed) == (("recovery",), True)
    assert list(mills.questions.values("pk", "payload")) == questions
    assert apply(folder, blocks=blocks).revision == revised


# --- Changes that would invalidate answers ------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"blocks": [{"task_type": "citation_recovery"}]}, "blocks.slider"),
        (
            {
                "blocks": [
                    {"task_type": "citation_recovery"},
                    {"task_type": "slider", "options": {"high": 10}},
                ]
            },
            "blocks.slider",
        ),
        (
            {"blocks": [{"task_type": "slider"}, {"task_type": "citation_recovery"}]},
            "blocks.citation_recovery",
        ),
        ({"seed": 1}, "seed"),
    ],
)
def test_answered_questions_stay_what_they_are(
    folder: Path, mills: Study, changes: Any, key: str
) -> None:
    answer(mills)
    before = state(mills)
    assert refusal(folder, **changes).startswith(f"{key}: cannot change")
    assert state(mills) == before


def test_a_batch_in_somebodys_hands_keeps_the_questions_too(folder: Path, mills: Study) -> None:
    lease(mills)
    assert refusal(folder, blocks=[{"task_type": "slider"}]).startswith("blocks.citation_recovery")
    assert refusal(folder, setting="full").startswith("setting: cannot change (batches")


def test_answered_items_stay_what_they_are(folder: Path, mills: Study) -> None:
    answer(mills)
    write_lines(folder / "items.jsonl", [record(8)])
    assert refusal(folder) == "items: items.jsonl has changed, and the study has answers"
    line = refusal(folder, items=[])
    assert line == "items: items.jsonl is no longer listed, and the study has answers"


def test_the_overlap_never_falls_below_what_is_held_or_counted(folder: Path, mills: Study) -> None:
    for _ in range(4):
        lease(mills)
    line = refusal(folder, overlap=1)
    assert line.startswith("overlap: cannot shrink to 1 (unit mill-")
    assert set(Place.objects.values_list("wanted", flat=True)) == {2}


def test_a_round_with_batches_cannot_go(folder: Path, mills: Study) -> None:
    lease(mills, "pilot")
    assert refusal(folder, rounds=[MAIN]).startswith("rounds.pilot: cannot go")
    assert apply(folder, rounds=[PILOT]).rounds.count() == 1


def test_a_round_with_answers_does_not_begin_or_cease_to_count(folder: Path, mills: Study) -> None:
    answer(mills, "pilot")
    rounds = [PILOT | {"counts": True}, MAIN]
    assert refusal(folder, rounds=rounds).startswith("rounds.pilot.counts: cannot change")


def test_a_round_in_which_people_were_paid_keeps_its_currency(folder: Path, mills: Study) -> None:
    batch = lease(mills)
    LedgerRow.objects.create(
        participation=batch.participation, assignment=batch, kind="base", amount=1, currency="USD"
    )
    rounds = [{**one, "pay": {"base": "2.70", "currency": "EUR"}} for one in (PILOT, MAIN)]
    assert refusal(folder, rounds=rounds).startswith("rounds.main.pay.currency: cannot change")


def test_an_imported_study_does_not_lose_its_material_to_new_blocks(folder: Path) -> None:
    path = folder / "items.jsonl"
    call_command("import_study", "jsonl", str(path), slug="mills", verbosity=0)
    line = refusal(folder, blocks=[{"task_type": "slider"}], items=[])
    assert line.startswith("blocks.citation_recovery: cannot change (import the study's files")
    assert apply(folder, items=[]).units.count() == 6


def test_a_stop_rule_is_set_changed_and_taken_away(folder: Path) -> None:
    rule = {"metric": "mean", "facet": "utility", "raters": "humans", "group": {}}
    narrow = {"metric": "mean", "facet": "utility", "half_width": 5}
    assert apply(folder, stop=narrow).stop_rule == {**rule, "half_width": 5.0}
    decided = {"metric": "mean", "facet": "utility", "excludes": 50}
    assert apply(folder, stop=decided).stop_rule == {**rule, "excludes": 50.0}
    assert apply(folder).stop_rule == {**rule, "excludes": 50.0}
    assert apply(folder, stop=None).stop_rule == {}
