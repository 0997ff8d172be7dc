"""Controls, worked examples and training picked from the data, each answered by hand."""

from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation.entry.examples import examples
from annotation.models import Place, Study, Unit, User
from annotation.rounds.opening import About, NotReady, gaps_before_opening, open_study
from files.errors import ImportFailure
from imports.studies.update import apply_study
from imports.study_file.writing import study_yaml
from set_up.steps.checklist import checklist
from tests.annotation.workers import lease, newcomer, normal_units
from tests.sessions import as_user
from tests.set_up.steps.studies import TABLE, fields_of, mills, send

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _uploads(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def made(owner: User) -> Study:
    return mills(owner)


@pytest.fixture
def client(owner: User) -> Client:
    return as_user(owner)


def units(study: Study) -> list[Unit]:
    """One of each source."""
    return [source.units.order_by("key")[0] for source in study.sources.order_by("pk")]


def pick(client: Client, unit: Unit, role: str = "positive", value: str = "4", **more: Any) -> Any:
    """Give the unit that role, with that point as the right answer."""
    address = ("desk:pick-unit", unit.study.slug, unit.pk)
    key = unit.study.blocks.get().facets[0].name
    fields = {**fields_of(client, *address), f"b0-score-{key}": value, "role": role, "go": "save"}
    return client.post(reverse(address[0], args=address[1:]), fields | more)


def test_a_unit_answered_by_hand_is_a_control(made: Study, client: Client, owner: User) -> None:
    unit = units(made)[0]
    sent = pick(client, unit)
    assert sent.status_code == 302, sent.content.decode()
    unit.refresh_from_db()
    assert (unit.role, unit.check_state, unit.checked_by) == ("positive", "validated", owner)
    question = unit.questions.get()
    assert question.reference == {"scores": {"quality": 4.0}}
    assert Place.objects.get(unit=unit).wanted is None
    # Nobody is asked about the other unit of its source, and every batch holds a control.
    other = made.units.exclude(pk=unit.pk).get(source=unit.source)
    assert not other.places.exists()
    assert made.rounds.get().positive_per_batch == 1
    assert "positive units of different sources" in "".join(
        gap.text for gap in gaps_before_opening(made) if gap.about == "controls"
    )


def test_a_pick_is_part_of_the_study_file(made: Study, client: Client, tmp_path: Path) -> None:
    pick(client, units(made)[0])
    pick(client, units(made)[1], "example", reasons="It says so.")
    text = study_yaml(Study.objects.get())
    record = yaml.safe_load(text)["picked"][1]
    assert record["role"] == "example"
    assert record["reasons"] == "It says so."
    (tmp_path / "t.csv").write_text(TABLE)
    (tmp_path / "study.yaml").write_text(text.replace("slug: mills", "slug: again"))
    call_command("apply_study", str(tmp_path / "study.yaml"), verbosity=0)
    again = Study.objects.get(slug="again")
    assert study_yaml(again) == text.replace("slug: mills", "slug: again")
    assert again.units.get(role="positive").questions.get().reference is not None
    assert len(examples(again)) == 1
    assert apply_study(path=tmp_path / "study.yaml").changed == ()


def test_picks_outlive_another_wording_of_the_question(made: Study, client: Client) -> None:
    pick(client, units(made)[0])
    words = {"b0__criteria__0__question": "How fluent is it?"}
    assert send(client, "desk:set-up-questions", made.slug, **words).status_code == 302
    control = made.units.get(role="positive")
    assert control.questions.get().payload["criteria"][0]["question"] == "How fluent is it?"
    assert control.questions.get().reference is not None
    page = send(client, "desk:set-up-questions", made.slug, b0__criteria__0__key="fluency")
    assert page.status_code == 422
    assert f"picked.{control.key}" in page.content.decode()


def test_a_pick_can_be_taken_back(made: Study, client: Client) -> None:
    unit = units(made)[0]
    pick(client, unit)
    assert pick(client, unit, "training", value="2").status_code == 302
    unit.refresh_from_db()
    assert unit.role == "training"
    sent = pick(client, unit, go="put-back")
    assert sent.status_code == 302
    unit.refresh_from_db()
    assert (unit.role, unit.check_state, unit.proposal) == ("normal", "not_needed", {})
    assert unit.questions.get().reference is None
    assert Place.objects.filter(round__study=made, wanted=3).count() == 20


def test_nothing_is_picked_without_an_answer(made: Study, client: Client) -> None:
    unit = units(made)[0]
    address = reverse("desk:pick-unit", args=[made.slug, unit.pk])
    page = client.post(address, {"role": "positive", "reasons": "Because."})
    assert page.status_code == 422
    assert "your answer is the right one" in page.content.decode()
    assert "Because." in page.content.decode()
    unit.refresh_from_db()
    assert unit.role == "normal"


def test_who_has_met_a_source_would_know_the_answer(study: Study, owner: User) -> None:
    unit = normal_units(lease(newcomer(study)))[0].unit
    client = as_user(owner)
    fields = {"role": "positive", "b1-value": "40", "reasons": ""}
    page = client.post(reverse("desk:pick-unit", args=[study.slug, unit.pk]), fields)
    assert page.status_code == 422
    assert "people have met it already" in page.content.decode()


def test_two_units_of_one_source_are_not_both_picked_as_controls(
    made: Study, client: Client
) -> None:
    first, second = units(made)[0].source.units.order_by("key")
    pick(client, first)
    page = pick(client, second)
    assert page.status_code == 422
    assert "about the same source" in page.content.decode()


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"unit": "none", "role": "example", "answers": {"likert": {}}}, "no such unit"),
        ({"role": "positive", "round": "x", "answers": {"likert": {}}}, "there is no round 'x'"),
        ({"role": "example", "answers": {"other": {}}}, "there is no block 'other'"),
        ({"role": "example", "answers": {"likert": {"scores": {"quality": 9}}}}, "answers.likert"),
        ({"role": "example", "answers": {}}, "answers: empty"),
    ],
)
def test_a_pick_that_cannot_be_is_named(
    made: Study, tmp_path: Path, record: dict[str, Any], words: str
) -> None:
    picked = [{"unit": units(made)[0].key, **record}]
    path = tmp_path / "study.yaml"
    path.write_text(yaml.safe_dump({"slug": made.slug, "title": "Mills", "picked": picked}))
    with pytest.raises(ImportFailure, match=words):
        apply_study(path=path)
    assert not made.units.exclude(role="normal").exists()


def test_the_units_are_searched_and_the_picked_ones_come_first(
    made: Study, client: Client, django_assert_max_num_queries: Any
) -> None:
    unit = units(made)[3]
    pick(client, unit)
    address = reverse("desk:controls", args=[made.slug])
    with django_assert_max_num_queries(27):
        page = client.get(address).content.decode()
    assert page.index(f">{unit.key}<") < page.index(f">{units(made)[0].key}<")
    page = client.get(address, {"q": "mill 7"}).content.decode()
    assert page.count("A report on mill") == 2


def test_the_checklist_leads_to_what_cures_each_gap(made: Study, client: Client) -> None:
    entries = {entry.about: entry for entry in checklist(made, gaps_before_opening(made))}
    assert [name for name, entry in entries.items() if entry.state == "missing"] == [
        "texts",
        "ethics",
    ]
    assert entries["judges"].state == "optional"
    page = client.get(reverse("desk:set-up", args=[made.slug])).content.decode()
    for entry in entries.values():
        assert reverse(entry.view, args=[made.slug]) in page
    send(client, "desk:set-up-texts", made.slug)
    facts = {"board": "B", "reference": "R", "contact": "c@example.org", "controller": "U"}
    send(client, "desk:set-up-ethics", made.slug, **facts)
    complete = Study.objects.get()
    entries_now = checklist(complete, gaps_before_opening(complete))
    assert all(entry.state != "missing" for entry in entries_now)
    hints = {entry.about: entry.hint for entry in entries_now}
    assert (entries["texts"].hint, hints["texts"]) == ("", "Instructions, consent, debrief")
    client.post(reverse("desk:open", args=[made.slug]))
    assert Study.objects.get().state == Study.State.OPEN


def test_the_checklist_names_all_that_opening_refuses_and_nothing_else(
    made: Study, client: Client
) -> None:
    """A control in every batch makes as many necessary as a worker does batches."""
    send(client, "desk:set-up-texts", made.slug)
    facts = {"board": "B", "reference": "R", "contact": "c@example.org", "controller": "U"}
    send(client, "desk:set-up-ethics", made.slug, **facts)
    address = reverse("desk:set-up", args=[made.slug])
    assert "Nothing is missing" in client.get(address).content.decode()
    pick(client, units(made)[0])
    page = client.get(address)
    assert "Nothing is missing" not in page.content.decode()
    listed = [what for entry in page.context["entries"] for what in entry.missing]
    with pytest.raises(NotReady) as refused:
        open_study(study=Study.objects.get())
    assert listed == refused.value.missing
    assert "2 positive units of different sources" in listed[0]
    pick(client, units(made)[1])
    assert "Nothing is missing" in client.get(address).content.decode()
    open_study(study=Study.objects.get())


def test_every_gap_has_a_place_in_the_checklist(made: Study) -> None:
    assert {entry.about for entry in checklist(made, gaps_before_opening(made))} >= set(
        get_args(About)
    )


# --- Several at once ----------------------------------------------------------------------------


def lines(client: Client, study: Study, answers: dict[Unit, str], **more: str) -> Any:
    """Type right answers into the table of units, and save."""
    fields = {f"right-{unit.questions.get().pk}": line for unit, line in answers.items()}
    data = {"go": "pick", "role": "positive", **fields, **more}
    return client.post(reverse("desk:controls", args=[study.slug]), data)


def test_right_answers_typed_into_the_table_make_controls(
    made: Study, client: Client, owner: User, django_assert_max_num_queries: Any
) -> None:
    first, second, third, *_others = units(made)
    sent = lines(client, made, {first: "4", second: "1", third: "2"})
    assert sent.status_code == 302, sent.content.decode()
    found = made.units.filter(role="positive").order_by("pk")
    assert [unit.checked_by for unit in found] == [owner] * 3
    scores = {unit.pk: unit.questions.get().reference for unit in found}
    assert scores == {
        unit.pk: {"scores": {"quality": value}}
        for unit, value in ((first, 4.0), (second, 1.0), (third, 2.0))
    }
    assert made.rounds.get().positive_per_batch == 1
    with django_assert_max_num_queries(27):
        client.get(reverse("desk:controls", args=[made.slug]))


def test_a_line_holds_a_value_for_each_criterion(owner: User, client: Client) -> None:
    keys = ("coherence", "fluency")
    criteria = [{"key": key, "question": f"How is its {key}?", "points": "1–5"} for key in keys]
    blocks = [{"task_type": "likert", "options": {"criteria": criteria}}]
    study = mills(owner, blocks=blocks)
    first, second, third, *_others = units(study)
    page = client.get(reverse("desk:controls", args=[study.slug])).content.decode()
    assert "coherence, fluency (1–5)" in page
    refused = lines(client, study, {first: "5 4", second: "5", third: "5, 9"})
    assert refused.status_code == 422
    assert refused.content.decode().count("Give coherence, fluency (1–5).") == 2
    assert not study.units.exclude(role="normal").exists()
    assert lines(client, study, {first: "5 4", second: "1,2"}).status_code == 302
    right = [unit.questions.get().reference for unit in (first, second)]
    assert right == [
        {"scores": {"coherence": 5.0, "fluency": 4.0}},
        {"scores": {"coherence": 1.0, "fluency": 2.0}},
    ]


@pytest.mark.parametrize(
    ("role", "answers", "words"),
    [
        ("positive", {}, "Choose a unit and give its right answer."),
        ("positive", {0: "6"}, "Give quality (1–5)."),
        ("sovereign", {0: "4"}, "is not one of the available choices"),
        ("positive", {0: "4", 1: "4"}, "about the same source"),
    ],
)
def test_what_cannot_be_picked_is_said_and_stays_typed(
    made: Study, client: Client, role: str, answers: dict[int, str], words: str
) -> None:
    both = list(units(made)[0].source.units.order_by("key"))
    page = lines(client, made, {both[n]: text for n, text in answers.items()}, role=role)
    assert page.status_code == 422
    assert words in page.content.decode()
    assert all(f'value="{text}"' in page.content.decode() for text in answers.values())
    assert not made.units.exclude(role="normal").exists()


def test_a_ticked_unit_needs_an_answer_unless_the_material_gives_it(
    study: Study, owner: User
) -> None:
    """The right sentences are those that cited the passage; how good it is, nobody has said."""
    client = as_user(owner)
    page = client.get(reverse("desk:controls", args=[study.slug]))
    row = next(row for row in page.context["rows"] if row.unit.role == "normal")
    assert [bool(part.known) for part in row.parts] == [True, False]
    client.post(
        reverse("desk:controls", args=[study.slug]),
        {"go": "pick", "role": "positive", f"pick-{row.unit.pk}": "on"},
    )
    row.unit.refresh_from_db()
    assert row.unit.role == "positive"
    made = mills(owner)
    unit = units(made)[0]
    page = lines(client, made, {}, **{f"pick-{unit.pk}": "on"})
    assert "Give the right answer." in page.content.decode()
