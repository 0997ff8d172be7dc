"""Importing a study from our own records; what is special to fcexp has its own module."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.test import Client

from annotation.models import Item, Member, Place, Question, Source, Study, Unit
from tests.imports.small_files import (
    PASSAGES,
    control,
    import_lines,
    item,
    record,
    source,
    write_bytes,
    write_lines,
)

pytestmark = pytest.mark.django_db

ONE_SLIDER = {"study": {"task_type": "slider", "options": {}}}
ROUNDS = {"study": {"rounds": [{"name": "pilot", "counts": False}, {"name": "main"}]}}


def refusal(path: Path, *files: Path, slug: str = "s", **options: Any) -> str:
    """The one line that a strict import ends with; nothing of it is left."""
    before = Study.objects.count()
    with pytest.raises(CommandError) as caught:
        call_command(
            "import_study", "jsonl", str(path), *map(str, files), slug=slug, strict=True, **options
        )
    line = str(caught.value)
    assert "\n" not in line
    assert Study.objects.count() == before
    return line


def lines_refusal(folder: Path, *records: Any) -> str:
    path = write_lines(folder / "r.jsonl", records)
    return refusal(path).removeprefix(str(path))


# --- What comes in ------------------------------------------------------------------------------


def test_a_record_becomes_a_source_its_items_and_a_unit_per_cited_passage(tmp_path: Path) -> None:
    study = import_lines(tmp_path, [record(0), record(1)], title="Mills")
    assert study.title == "Mills"
    assert [row.material.claim for row in study.sources.all()] == [source()["claim"]] * 2
    row = study.items.get(key="mill-0/alder")
    assert [s.citations for s in row.material.sentences] == [(), (1,), (2, 1)]
    assert sorted(study.units.values_list("key", flat=True)) == [
        "mill-0/alder/1",
        "mill-0/alder/2",
        "mill-1/alder/1",
        "mill-1/alder/2",
    ]
    assert study.imported["counts"]["units"] == 4
    assert study.imported["subsets"] == {"full": 4, "sample": 2}


def test_a_unit_has_one_question_in_each_block_of_the_published_study(tmp_path: Path) -> None:
    study = import_lines(tmp_path, [record()])
    unit = study.units.get(key="mill-0/alder/1")
    recovery, slider = unit.questions.order_by("block__position")
    assert [recovery.block.key, slider.block.key] == ["citation_recovery", "slider"]
    assert recovery.reference == {"sentences": [1, 2]}
    assert slider.reference is None
    shown = [sentence["text"] for sentence in recovery.payload["sentences"]]
    assert shown[1] == "The roof was paid for by a grant."
    assert slider.payload["sentences"][1] == "The roof was paid for by a grant [1]."


def test_running_text_is_divided_and_its_citations_read(tmp_path: Path) -> None:
    text = "It is half-true. Gov. Ash paid [1]. The rest came later [2, 1]."
    running = {"key": "mill/larch", "text": text}
    study = import_lines(tmp_path, [{"source": source(), "items": [running]}])
    sentences = study.items.get().material.sentences
    assert [s.text for s in sentences][1] == "Gov. Ash paid [1]."
    assert [s.citations for s in sentences] == [(), (1,), (2, 1)]


def test_citations_that_a_file_gives_are_not_read_again(tmp_path: Path) -> None:
    sentences = [{"text": "As [1] says.", "citations": [2]}, {"text": "No [1].", "citations": []}]
    given = {"source": source(), "items": [item(sentences=sentences)]}
    study = import_lines(tmp_path, [given])
    assert [s.citations for s in study.items.get().material.sentences] == [(2,), ()]


def test_items_of_one_source_may_come_in_several_records(tmp_path: Path) -> None:
    records = [{"source": source(), "items": [item(f"mill/{name}")]} for name in ("alder", "birch")]
    study = import_lines(tmp_path, records)
    assert (study.sources.count(), study.items.count()) == (1, 2)


def test_items_of_one_source_may_rest_on_different_passages(tmp_path: Path) -> None:
    other = [passage | {"selected": passage["index"] == 0} for passage in PASSAGES]
    records = [
        {"source": source(), "items": [item("mill/alder")]},
        {"source": source(passages=other), "items": [item("mill/birch")]},
    ]
    study = import_lines(tmp_path, records)
    payload = study.units.get(key="mill/birch/1").questions.first().payload  # type: ignore[union-attr]
    assert [passage["selected"] for passage in payload["passages"]] == [True, False, False]
    assert study.imported["odd"]["selected_passages_differ"] == ["mill/birch"]


def test_an_item_may_have_several_units_of_its_own(tmp_path: Path) -> None:
    records = [
        record(unit={"key": f"u{k}", "focus": {"passage": k}, "subsets": ["full"]}) for k in (1, 2)
    ]
    study = import_lines(tmp_path, records)
    assert (study.items.count(), study.units.count()) == (1, 2)
    assert study.imported["subsets"] == {"full": 2}


def test_a_perturbed_item_knows_its_original(tmp_path: Path) -> None:
    changed = item("mill-0/alder-wrong", perturbed_from="mill-0/alder", condition="wrong")
    study = import_lines(tmp_path, [record(items=[item("mill-0/alder"), changed])])
    assert study.items.get(condition="wrong").perturbed_from == study.items.get(condition="")


def test_an_original_may_come_after_what_was_made_of_it(tmp_path: Path) -> None:
    changed = item("mill-0/wrong", perturbed_from="mill-0/alder", condition="wrong")
    study = import_lines(tmp_path, [record(items=[changed]), record()])
    assert study.items.get(condition="wrong").perturbed_from == study.items.get(condition="")


def test_what_is_odd_is_imported_counted_and_listed(tmp_path: Path) -> None:
    uncited = {"source": source("a"), "items": [item("a/1", sentences=[{"text": "False."}])]}
    outside = {"source": source("b"), "items": [item("b/1", sentences=[{"text": "No [7]."}])]}
    study = import_lines(tmp_path, [uncited, outside, record()])
    assert study.items.count() == 3
    assert study.imported["odd"] == {
        "items_without_citation": ["a/1"],
        "records_without_a_unit": ["s.jsonl:1", "s.jsonl:2"],
        "citations_outside_passages": ["b/1 [7]"],
        "sentences_citing_several": ["mill-0/alder sentence 2"],
    }
    assert set(study.units.values_list("source__key", flat=True)) == {"mill-0"}


def test_a_packed_file_comes_in_as_it_is(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "r.jsonl.gz", [record()])
    call_command("import_study", "jsonl", str(path), slug="s", verbosity=0)
    assert Unit.objects.count() == 2


def test_more_records_than_a_batch_come_in_whole(tmp_path: Path) -> None:
    study = import_lines(tmp_path, [record(n) for n in range(600)])
    assert (study.sources.count(), study.items.count(), study.units.count()) == (600, 600, 1200)
    assert study.questions.count() == 2400


def test_the_first_record_may_describe_the_study(tmp_path: Path) -> None:
    opening = {"study": {"title": "Mills", "task_type": "slider", "overlap": 3}}
    study = import_lines(tmp_path, [opening, record()])
    assert (study.title, study.overlap) == ("Mills", 3)
    assert [block.key for block in study.blocks.all()] == ["slider"]
    assert study.units.get().key == "mill-0/alder"


# --- Payloads and references given verbatim -----------------------------------------------------


def question(study: Study, block: str) -> Question:
    return study.questions.get(block__key=block)


def test_a_reference_alone_belongs_to_the_first_block(tmp_path: Path) -> None:
    study = import_lines(tmp_path, [control(reference={"sentences": []}, role="normal")])
    assert question(study, "citation_recovery").reference == {"sentences": []}
    assert question(study, "slider").reference is None


def test_references_may_be_given_block_by_block(tmp_path: Path) -> None:
    study = import_lines(tmp_path, [control(role="normal", reference={"slider": {"value": 70}})])
    assert question(study, "citation_recovery").reference == {"sentences": [2]}
    assert question(study, "slider").reference == {"value": 70.0}


def test_a_null_reference_means_that_there_is_none(tmp_path: Path) -> None:
    study = import_lines(tmp_path, [control(role="normal", reference=None)])
    assert question(study, "citation_recovery").reference is None


def test_a_payload_of_its_own_is_kept_and_determines_no_reference(tmp_path: Path) -> None:
    payload = {
        "claim": "Another claim.",
        "verdict": "",
        "passages": PASSAGES,
        "passage": 0,
        "sentences": [{"number": 4, "text": "One sentence."}],
    }
    study = import_lines(tmp_path, [control(role="normal", payload=payload)])
    asked = question(study, "citation_recovery")
    assert asked.payload["sentences"] == payload["sentences"]
    assert asked.reference is None


# --- Places -------------------------------------------------------------------------------------


def test_normal_units_get_places_in_each_round_and_controls_in_theirs(tmp_path: Path) -> None:
    study = import_lines(tmp_path, [ROUNDS, record(0), control(1, round="main")])
    assert Place.objects.filter(role="normal").count() == 4
    place = Place.objects.get(role="positive")
    assert (place.round.name, place.wanted, place.source.key) == ("main", None, "mill-1")
    assert set(Place.objects.filter(role="normal").values_list("wanted", flat=True)) == {1}
    assert study.imported["counts"]["units"] == 3


def test_a_control_needs_no_round_where_there_is_only_one(tmp_path: Path) -> None:
    import_lines(tmp_path, [{"study": {"rounds": [{"name": "main"}]}}, control()])
    assert Place.objects.get().round.name == "main"


def test_examples_have_no_places(tmp_path: Path) -> None:
    import_lines(tmp_path, [ROUNDS, control(role="example")])
    assert not Place.objects.exists()


# --- Who owns it, and what stood there before ---------------------------------------------------


def test_the_named_user_owns_the_study(tmp_path: Path) -> None:
    get_user_model().objects.create_user("ada")
    study = import_lines(tmp_path, [record()], owner="ada")
    member = study.members.get()
    assert (member.user.get_username(), member.role) == ("ada", Member.Role.OWNER)


def test_without_a_name_every_superuser_owns_the_study(tmp_path: Path) -> None:
    get_user_model().objects.create_user("ada")
    root = get_user_model().objects.create_superuser("root")
    assert [m.user for m in import_lines(tmp_path, [record()]).members.all()] == [root]


def test_an_unknown_owner_leaves_nothing_behind(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "r.jsonl", [record()])
    assert refusal(path, owner="nobody") == "study s: owner: no user is called 'nobody'"


def test_a_taken_slug_is_refused(tmp_path: Path) -> None:
    import_lines(tmp_path, [record()])
    path = write_lines(tmp_path / "r.jsonl", [record()])
    assert refusal(path).startswith("study s: slug: taken")


def test_replacing_keeps_the_members_and_nothing_of_the_material(tmp_path: Path) -> None:
    get_user_model().objects.create_user("ada")
    import_lines(tmp_path, [record(0)], owner="ada")
    study = import_lines(tmp_path, [record(1)], replace=True)
    assert Source.objects.get().key == "mill-1"
    assert study.members.get().user.get_username() == "ada"


def test_a_replacement_that_fails_leaves_the_old_study(tmp_path: Path) -> None:
    import_lines(tmp_path, [record(0)])
    path = write_lines(tmp_path / "r.jsonl", [record(1), record(1)])
    refusal(path, replace=True)
    assert Source.objects.get().key == "mill-0"


# --- Bad input ----------------------------------------------------------------------------------


def test_the_line_of_broken_json_is_named(tmp_path: Path) -> None:
    raw = json.dumps(record()).encode() + b'\n\n{"source": }\n'
    path = write_bytes(tmp_path / "r.jsonl", raw)
    assert refusal(path) == f"{path}:3: JSON: expected value at column 12"


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "r.pdf", b"%PDF-1.7\n\xb5\xb5\n")
    assert refusal(path).startswith(f"{path}:1: JSON: ")


@pytest.mark.parametrize("raw", [b"", b"\n\n", json.dumps(ONE_SLIDER).encode()])
def test_a_file_without_records_is_refused(tmp_path: Path, raw: bytes) -> None:
    path = write_bytes(tmp_path / "r.jsonl", raw)
    assert refusal(path) == f"{path}: records: none in this file"


def test_the_second_of_two_files_is_named(tmp_path: Path) -> None:
    good = write_lines(tmp_path / "good.jsonl", [record()])
    bad = write_lines(tmp_path / "bad.jsonl", [record(1), {}])
    assert refusal(good, bad) == f"{bad}:2: source: missing (and 1 more)"


def without(given: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in given.items() if key != name}


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [
        (record(colour="red"), ":2: colour: unknown field"),
        (record(source=source(colour="red")), ":2: source.colour: unknown field"),
        (record(source=without(source(), "key")), ":2: source.key: missing"),
        (record(source=source(claim="")), ":2: source.claim: missing (a source needs"),
        (record(source=source(passages=[PASSAGES[0]] * 2)), ":2: source.passages: an index"),
        (
            record(source=source(passages=[{"index": -1, "text": "x"}])),
            ":2: source.passages[0].index: input should be greater than or equal to 0",
        ),
        (record(items=[], unit={"key": "u"}), ":2: items: empty (a unit shows one at least)"),
        (record(items=[{"key": "x"}]), ":2: items[0].sentences: missing"),
        (record(items=[{"key": "x", "text": "  "}]), ":2: items[0].text: empty"),
        (record(items=[item(sentences=[])]), ":2: items[0].sentences: empty"),
        (record(items=[item(sentences=[{"text": ""}])]), ":2: items[0].sentences[0].text: empty"),
        (
            record(items=[item(sentences=[{"text": "x", "citations": ["a"]}])]),
            ":2: items[0].sentences[0].citations[0]: input should be a valid integer",
        ),
        (record(items=[item(text="x")]), ":2: items[0].text: does not consist of the sentences"),
        (
            record(items=[item("x", perturbed_from="y")]),
            ":2: items.perturbed_from: there is no item 'y'",
        ),
        (control(1, role="boss"), ":2: unit.role: input should be 'normal'"),
        (control(1, focus={"passage": 9}), ":2: unit mill-1/alder/2.focus.passage: the source has"),
        (control(1, focus={}), ":2: unit mill-1/alder/2.focus.passage: missing"),
        (control(1, focus={"passage": "2"}), ":2: unit mill-1/alder/2.focus.passage: missing, or"),
        (control(1, reference={"sentences": [9]}), ":2: unit.reference.sentences: there is no"),
        (control(1, reference={"value": 3}), ":2: unit.reference.sentences: missing"),
        (
            control(1, part_reasons={"recovery.9": "It says so."}),
            ":2: unit.part_reasons: there is no part 'recovery.9' of a right answer",
        ),
        (control(1, reference=None), ":2: unit.reference: missing (a control needs one)"),
        (control(1, payload={"claim": "x"}), ":2: unit.payload.verdict: missing (and 3 more)"),
        (control(1, role="example", round="main"), ":2: unit.round: an example belongs to no"),
        (control(1, role="training", round="main"), ":2: unit.round: no such round"),
        (control(1, key=""), ":2: unit.key: empty"),
        (record(0), ":2: items.key: duplicate: 'mill-0/alder'"),
        (record(0, source=source("mill-0", claim="Other.")), ":2: source.key: duplicate: 'mill-0'"),
        (
            record(1, source=source("mill-1"), items=[item("mill-0/alder")]),
            ":2: items.key: duplicate: 'mill-0/alder'",
        ),
        (
            control(1, role="normal", key="mill-0/alder/1"),
            ":2: unit.key: duplicate: 'mill-0/alder/1'",
        ),
        ([], ":2: record: input should be an object"),
    ],
)
def test_a_wrong_record_is_named_with_its_field(tmp_path: Path, bad: Any, complaint: str) -> None:
    assert lines_refusal(tmp_path, record(0), bad).startswith(complaint)


def test_a_number_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    text = json.dumps(control(0, role="normal", focus={"passage": 2, "x": float("nan")}))
    write_bytes(path, text.encode())
    assert refusal(path).startswith(f"{path}:1: ")


def test_duplicates_are_found_across_batches(tmp_path: Path) -> None:
    records = [record(n) for n in range(600)]
    assert lines_refusal(tmp_path, *records, record(3)).startswith(":601: items.key: duplicate")
    assert not Item.objects.exists()


def test_a_control_shares_its_source_with_no_other_unit(tmp_path: Path) -> None:
    other = record(0, items=[item("mill-0/birch")])
    line = lines_refusal(tmp_path, other, control(0))
    assert line == "source mill-0: unit.role: a control's source has units of another role"


def test_a_control_names_its_round_where_there_are_several(tmp_path: Path) -> None:
    line = lines_refusal(tmp_path, ROUNDS, control(0))
    assert line == ":2: unit.round: missing (the study has: pilot, main)"


def test_a_control_names_a_round_that_there_is(tmp_path: Path) -> None:
    line = lines_refusal(tmp_path, ROUNDS, control(0, round="mian"))
    assert line == ":2: unit.round: no such round: 'mian' (the study has: pilot, main)"


@pytest.mark.parametrize(
    ("study", "complaint"),
    [
        ({"colour": "red"}, ":1: study.colour: unknown field"),
        ({"blocks": [{"task_type": "quiz"}]}, ":1: study.blocks[0].task_type: no task type 'quiz'"),
        ({"overlap": 0}, ":1: study.overlap: input should be greater"),
        ({"items": "more.jsonl"}, ":1: study.items: unknown field"),
    ],
)
def test_a_wrong_opening_record_is_named(tmp_path: Path, study: Any, complaint: str) -> None:
    assert lines_refusal(tmp_path, {"study": study}, record()).startswith(complaint)


def test_an_option_that_means_nothing_to_the_format_is_refused(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "r.jsonl", [record()])
    assert "--chains means nothing" in refusal(path, chains=path)


def test_a_bad_slug_is_refused(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "r.jsonl", [record()])
    assert refusal(path, slug="Two words").startswith(f"{path}: slug: ")


def test_the_first_superuser_who_signs_in_owns_what_nobody_owns(
    tmp_path: Path, client: Client
) -> None:
    ownerless = import_lines(tmp_path, [record()])
    assert not ownerless.members.exists()
    account = get_user_model().objects.create_user("ada")
    client.force_login(account)
    assert client.get(f"/studies/{ownerless.slug}/").status_code == 404
    client.force_login(get_user_model().objects.create_superuser("root"))
    assert client.get(f"/studies/{ownerless.slug}/").status_code == 200
    assert [member.user.username for member in ownerless.members.all()] == ["root"]
