import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Study
from tests.imports.small_files import fcexp_record, write_json
from tests.imports.tables import import_files, outcome, refused

pytestmark = pytest.mark.django_db


def imported(folder: Path, *files: dict[str, Any], **options: Any) -> Study:
    paths = [write_json(folder / f"{n}.json.gz", one) for n, one in enumerate(files)]
    call_command("import_study", "fcexp", *map(str, paths), slug="f", verbosity=0, **options)
    return Study.objects.get(slug="f")


def refusal(folder: Path, *files: Any) -> str:
    with pytest.raises(CommandError) as caught:
        imported(folder, *files, strict=True)
    assert not Study.objects.exists()
    return str(caught.value).removeprefix(str(folder))


def test_a_claim_becomes_a_source_an_item_and_a_unit_per_cited_passage(tmp_path: Path) -> None:
    study = imported(tmp_path, {"c1": fcexp_record()})
    source, item = study.sources.get(), study.items.get()
    assert (source.key, source.verdict) == ("c1", "half-true")
    assert [p.selected for p in source.material.passages] == [False, True, True]
    assert (item.key, item.system, item.evidence_source) == ("c1/larch", "larch", "machine")
    subsets = {
        unit.key: sorted(unit.subsets.values_list("name", flat=True)) for unit in study.units.all()
    }
    assert subsets == {"c1/1": ["full", "sample"], "c1/2": ["full"]}
    assert study.setting == "sample"


def test_recorded_readings_stand_where_we_would_read_otherwise(tmp_path: Path) -> None:
    record = fcexp_record(gen_cit={"larch": [[], [1], [-1]]}, ans_sens={"larch": [1]})
    study = imported(tmp_path, {"c1": record})
    assert [s.citations for s in study.items.get().material.sentences] == [(), (1,), ()]
    assert [unit.key for unit in study.units.all()] == ["c1/1"]
    found = study.imported
    assert (found["counts"]["sentences_read"], found["counts"]["sentences_agreeing"]) == (3, 2)
    assert found["odd"]["readings_differ"] == ["c1/larch sentence 2: recorded [-1], read [1, 2]"]
    assert found["odd"]["readings_unreadable"] == ["c1/larch sentence 2"]
    assert found["counts"]["references_equal"] == 1


@pytest.mark.parametrize("masked", [{}, {"larch": None}, {"larch": -1}, {"larch": 0}])
def test_without_a_usable_mask_there_is_no_sample_unit(tmp_path: Path, masked: Any) -> None:
    study = imported(tmp_path, {"c1": fcexp_record(masked_cit=masked)})
    assert study.imported["subsets"] == {"full": 2}
    assert study.imported["odd"]["claims_without_usable_mask"] == ["c1/larch"]


def test_a_citation_outside_the_passages_makes_no_unit_and_is_listed(tmp_path: Path) -> None:
    record = fcexp_record(gen_cit={"larch": [[], [1], [1, 9]]})
    study = imported(tmp_path, {"c1": record})
    assert [unit.key for unit in study.units.all()] == ["c1/1"]
    assert study.imported["odd"]["citations_outside_passages"] == ["c1/larch [9]"]


def test_a_claim_without_any_citation_is_imported_and_listed(tmp_path: Path) -> None:
    record = fcexp_record(gen_cit={"larch": [[], [], []]}, masked_cit={}, ans_sens={})
    study = imported(tmp_path, {"c1": record, "c2": fcexp_record()})
    assert study.items.count() == 2
    assert study.imported["odd"]["items_without_citation"] == ["c1/larch"]


def test_another_recorded_reference_is_listed(tmp_path: Path) -> None:
    study = imported(tmp_path, {"c1": fcexp_record(ans_sens={"larch": [-2]})})
    assert study.imported["odd"]["references_differ"] == ["c1/1"]
    question = study.questions.get(unit__key="c1/1", block__position=0)
    assert question.reference == {"sentences": [1, 2]}


def test_several_generators_make_several_items_of_one_source(tmp_path: Path) -> None:
    birch = fcexp_record("birch", chain=["0", [0]])
    study = imported(tmp_path, {"c1": fcexp_record()}, {"c1": birch})
    assert study.sources.count() == 1
    assert sorted(study.units.values_list("key", flat=True)) == [
        "c1/birch/1",
        "c1/birch/2",
        "c1/larch/1",
        "c1/larch/2",
    ]
    assert study.imported["odd"]["selected_passages_differ"] == ["c1/birch"]


def test_human_chains_come_from_a_file_of_their_own(tmp_path: Path) -> None:
    claim = fcexp_record()["claim"]
    chains = write_json(tmp_path / "chains.json", {claim: {"chain": {"10": [2], "9": [1, 2]}}})
    other = fcexp_record(claim="Another claim.")
    study = imported(tmp_path, {"c1": fcexp_record(), "c2": other}, chains=chains)
    assert study.sources.get(key="c1").chains == [[1, 2], [2]]
    assert study.imported["odd"]["claims_without_chains"] == ["c2"]
    assert [file["name"] for file in study.imported["files"]] == ["0.json.gz", "chains.json"]


def test_fields_that_we_do_not_read_are_listed(tmp_path: Path) -> None:
    study = imported(tmp_path, {"c1": fcexp_record(top_choice={})})
    assert study.imported["odd"]["fields_not_read"] == ["c1 top_choice"]


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"claim": ""}, "claim: empty"),
        ({"claim": None}, "claim: input should be a valid string"),
        ({"label": ""}, "label: empty"),
        ({"passage": "0: one\ntwo"}, "passage: line 2 does not begin with its index"),
        ({"passage": "0: one\n0: two"}, "passages: an index occurs twice"),
        ({"passage": "0: "}, "passages[0].text: empty"),
        ({"explanation": {}}, "explanation: empty"),
        ({"explanation": {"larch": []}, "gen_cit": {"larch": []}}, "explanation.larch.sentences:"),
        (
            {"explanation": {"larch": [""]}, "gen_cit": {"larch": [[]]}},
            "explanation.larch.sentences[0].text: empty",
        ),
        ({"gen_cit": {}}, "gen_cit.larch: missing"),
        ({"gen_cit": {"larch": [[]]}}, "gen_cit.larch: 1 readings for 3 sentences"),
        ({"gen_cit": {"larch": [[], ["x"], []]}}, "gen_cit.larch[1][0]: input should be"),
        ({"ans_sens": {"larch": [-1]}}, "ans_sens.sentences[0]: input should be greater"),
    ],
)
def test_a_wrong_record_is_named_with_its_field(
    tmp_path: Path, changes: Any, complaint: str
) -> None:
    line = refusal(tmp_path, {"c1": fcexp_record(), "c2": fcexp_record(**changes)})
    assert line.startswith(f"/0.json.gz (record c2): {complaint}")


def test_a_missing_claim_is_named(tmp_path: Path) -> None:
    record = fcexp_record()
    del record["claim"]
    assert refusal(tmp_path, {"c1": record}) == "/0.json.gz (record c1): claim: missing"


@pytest.mark.parametrize("value", [[], "x", {"explanation": "x"}])
def test_what_is_no_record_is_named(tmp_path: Path, value: Any) -> None:
    assert refusal(tmp_path, {"c1": value}) == "/0.json.gz (record c1): explanation: missing"


@pytest.mark.parametrize(("value", "complaint"), [([], "not an object"), ({}, "none in this")])
def test_another_kind_of_file_is_refused(tmp_path: Path, value: Any, complaint: str) -> None:
    assert complaint in refusal(tmp_path, value)


def test_a_claim_id_occurs_once_in_a_file(tmp_path: Path) -> None:
    one = (write_json(tmp_path / "x", {"c1": fcexp_record()})).read_bytes()[1:-1]
    path = tmp_path / "twice.json"
    path.write_bytes(b"{" + one + b"," + one + b"}")
    with pytest.raises(CommandError, match=r"record c1.: claim_id: occurs twice"):
        call_command("import_study", "fcexp", str(path), slug="f")


def test_the_same_file_twice_is_refused(tmp_path: Path) -> None:
    line = refusal(tmp_path, {"c1": fcexp_record()}, {"c1": fcexp_record()})
    assert line.startswith("/1.json.gz (record c1): ")


def test_the_published_file_comes_in_as_its_authors_recorded_it(
    shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shared_data / "transparent-fcexp"
    call_command(
        "import_study",
        "fcexp",
        str(folder / "gpt4_full_data.json.gz"),
        slug="g4",
        chains=folder / "claim_chain_mapping.json",
    )
    study = Study.objects.get(slug="g4")
    assert (study.sources.count(), study.items.count()) == (486, 486)
    assert study.imported["subsets"] == {"full": 2514, "sample": 486}
    counts = study.imported["counts"]
    assert (counts["sentences_read"], counts["sentences_agreeing"]) == (2808, 2808)
    assert (counts["references_compared"], counts["references_equal"]) == (486, 486)
    assert counts["sentences_citing_several"] == 365
    assert study.imported["odd"].keys() == {"sentences_citing_several"}
    assert not study.sources.filter(chains=[]).exists()
    sample = study.questions.filter(unit__subsets__name="sample", block__position=0)
    references = [question.reference or {} for question in sample]
    assert sum(len(reference["sentences"]) > 1 for reference in references) == 9
    assert "2808 of 2808" in capsys.readouterr().out


def test_every_published_file_comes_in_or_says_why_with_the_record(shared_data: Path) -> None:
    files = sorted((shared_data / "transparent-fcexp").glob("*_full_data.json*"))
    assert files
    for n, path in enumerate(files):
        study = import_files("fcexp", path, slug=f"g{n}")
        counts = study.imported["counts"]
        left_out = counts.get("records_skipped", 0)
        assert counts["records"] + left_out == 486
        assert len(study.imported["odd"].get("skipped", [])) == left_out


def test_one_empty_sentence_of_486_records_costs_one_record(tmp_path: Path) -> None:
    """As in the published file of llama2-7b."""
    texts = ["The claim is half-true.", " ", "It came from the province [2][1]."]
    empty = fcexp_record(explanation={"larch": texts}, gen_cit={"larch": [[], [], [2, 1]]})
    content = {f"c{n}": empty if n == 300 else fcexp_record() for n in range(486)}
    path = write_json(tmp_path / "larch_full_data.json.gz", content)
    reason = "larch_full_data.json.gz (record c300): explanation.larch.sentences[1].text: empty"
    assert refused("fcexp", path, strict=True) == reason
    copies = tmp_path / "skipped.jsonl"
    told = outcome("fcexp", path, skipped=copies)
    assert [f"{s['where']}: {s['field']}: {s['reason']}" for s in told["skipped"]] == [reason]
    copied = json.loads(copies.read_text())
    assert copied["record"]["explanation"]["larch"][1] == " "
    study = Study.objects.get()
    assert study.sources.count() == 485
    assert study.imported["counts"]["records_skipped"] == 1
