"""Records that cannot be used, in each published format."""

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Annotation, Item, Source, Study, Unit
from tests.imports.small_files import fcexp_record, write_bytes, write_json, write_lines
from tests.imports.tables import answers_of, outcome, refused, skipped, write_table

pytestmark = pytest.mark.django_db


def claims(**odd: Any) -> dict[str, Any]:
    return {f"c{n}": fcexp_record() for n in range(3)} | odd


def explained(*sentences: str, **changes: Any) -> dict[str, Any]:
    readings: list[list[int]] = [[1] if "[1]" in text else [] for text in sentences]
    return fcexp_record(
        explanation={"larch": list(sentences)}, gen_cit={"larch": readings}, **changes
    )


def test_an_empty_sentence_does_not_refuse_a_file_of_explanations(tmp_path: Path) -> None:
    bad = explained("It is false.", " ", "It was paid [1].", ans_sens={"larch": [2]})
    path = write_json(tmp_path / "x.json", claims(bad=bad))
    assert skipped("fcexp", path) == [
        "x.json (record bad): explanation.larch.sentences[1].text: empty"
    ]
    study = Study.objects.get()
    assert (study.sources.count(), study.imported["counts"]["references_compared"]) == (3, 3)
    assert study.imported["counts"]["sentences_read"] == 9


def test_an_empty_sentence_at_the_end_is_dropped_and_counted(tmp_path: Path) -> None:
    odd = explained("It is false.", "It was paid [1].", " \n", "", ans_sens={"larch": [1]})
    printed = outcome("fcexp", write_json(tmp_path / "x.json", claims(odd=odd)))
    assert printed["skipped"] == []
    assert printed["counts"]["empty_sentences_dropped"] == 2
    assert printed["counts"]["references_equal"] == 4
    sentences = Item.objects.get(key="odd/larch").material.sentences
    assert [s.text for s in sentences] == ["It is false.", "It was paid [1]."]


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [
        (7, "explanation: missing"),
        (fcexp_record(claim="a\0b"), "text: holds a NUL character"),
        (fcexp_record(passage="no number"), "passage: line 1 does not begin with its index"),
        (fcexp_record(gen_cit={"larch": [[1]]}), "gen_cit.larch: 1 readings for 3 sentences"),
        (fcexp_record(claim=["x"]), "claim: input should be a valid string"),
        (fcexp_record(ans_sens={"larch": [-7]}), "ans_sens.sentences[0]: input should be"),
    ],
)
def test_a_wrong_claim_is_skipped(tmp_path: Path, bad: Any, complaint: str) -> None:
    (line,) = skipped("fcexp", write_json(tmp_path / "x.json", claims(bad=bad)))
    assert line.startswith(f"x.json (record bad): {complaint}")
    assert Source.objects.count() == 3


def test_a_key_with_a_nul_is_skipped(tmp_path: Path) -> None:
    path = write_json(tmp_path / "x.json", claims(**{"a\0b": fcexp_record()}))
    assert skipped("fcexp", path) == ["x.json (record a\\0b): text: holds a NUL character"]


def test_a_claims_file_that_breaks_off_is_refused_after_its_last_record(tmp_path: Path) -> None:
    whole = write_json(tmp_path / "x.json", claims()).read_bytes()
    write_bytes(tmp_path / "x.json", whole[:-200])
    assert refused("fcexp", tmp_path / "x.json").startswith("x.json (after record c1): JSON:")


def test_bad_chains_are_skipped(tmp_path: Path) -> None:
    chains = {fcexp_record()["claim"]: {"chain": {"0": [1]}}, "Other.": {"chain": {"0": ["x"]}}}
    path = write_json(tmp_path / "x.json", claims())
    file = write_json(tmp_path / "chains.json", chains)
    (line,) = skipped("fcexp", path, chains=file)
    assert line.startswith("chains.json (record Other.): chain.0[0]: input should be")
    assert Source.objects.first().chains == [[1]]  # type: ignore[union-attr]


def politihop(folder: Path, *rows: tuple[str, Any]) -> Path:
    ruling = json.dumps(["The mill is empty.", "It was sold."])
    cells = [
        [f"a{n}", statement, ruling, json.dumps(chains), "true"]
        for n, (statement, chains) in enumerate(rows)
    ]
    lines = ["\t".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in cells]
    header = "article_id\tstatement\truling\tannotated_evidence\tannotated_label"
    return write_table(folder / "p.tsv", header, *lines)


def test_a_chain_that_names_a_missing_passage_is_left_out_alone(tmp_path: Path) -> None:
    path = politihop(tmp_path, ("One.", {"1": ["0"], "2": ["1", "7"]}), ("Two.", {"1": ["1"]}))
    printed = outcome("politihop", path)
    (left_out,) = printed["skipped"]
    assert left_out == {
        "where": "p.tsv:2",
        "field": "annotated_evidence.2",
        "reason": "there is no passage '7'",
    }
    assert printed["counts"]["parts_skipped"] == 1
    assert printed["counts"]["chains"] == 2
    assert Source.objects.get(claim="One.").chains == [[0]]


def test_a_row_without_any_usable_chain_is_skipped(tmp_path: Path) -> None:
    rows = [
        ("One.", {"1": ["9"]}),
        ("One.", {"1": ["1"]}),
        ("Two.", {"1": ["0"]}),
        ("Three.", {"1": ["8"]}),
    ]
    assert skipped("politihop", politihop(tmp_path, *rows)) == [
        "p.tsv:2: annotated_evidence.1: there is no passage '9'",
        "p.tsv:5: annotated_evidence.1: there is no passage '8'",
    ]
    assert sorted(Source.objects.values_list("claim", "key")) == [("One.", "a1"), ("Two.", "a2")]


def votes(*responses: str, worker: Any = "w") -> dict[str, Any]:
    sentences = [
        {"sentence": f"S{n}.", "responses": [{"worker_id": worker, "response": response}]}
        for n, response in enumerate(responses)
    ]
    return {"article": "A.", "summary_sentences": sentences}


def test_a_summary_that_cannot_be_used_takes_its_prediction_along(tmp_path: Path) -> None:
    bad = votes("yes", "no")
    bad["summary_sentences"][1]["responses"][0]["worker_id"] = "other"
    lines = write_lines(tmp_path / "v.jsonl", [votes("yes"), bad, votes("no"), votes("no")])
    scores = [{"predict_scores": {"consistency": value}} for value in (0.1, 0.2, -1, 0.4)]
    assert skipped("qags", lines, write_json(tmp_path / "p.json", scores)) == [
        "v.jsonl:2: summary_sentences[1].responses: voter other votes not in every sentence",
        "p.json (record 2): predict_scores.consistency: input should be greater than or equal to 0",
    ]
    study = Study.objects.get()
    # The others keep their numbers.
    assert sorted(study.units.values_list("key", flat=True)) == ["0", "3"]
    assert answers_of(study, "unieval") == {
        "0 consistency_score": {"value": 0.1},
        "3 consistency_score": {"value": 0.4},
    }


def test_a_voter_whose_name_cannot_be_reported_leaves_no_unit_behind(tmp_path: Path) -> None:
    bad = votes("yes", worker="humans")
    path = write_lines(tmp_path / "v.jsonl", [votes("yes"), bad, votes("no")])
    (line,) = skipped("qags", path)
    assert line.startswith("v.jsonl:2: rater: ")
    assert Unit.objects.count() == Annotation.objects.count() == 2


def scored(**changes: Any) -> dict[str, Any]:
    about = {"doc_id": "d", "source": "Doc.", "system_output": "Out."}
    return about | {"scores": {"fluency": 3}, "predict_scores": {"fluency": 0.5}} | changes


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [
        (scored(scores={"???": 1}), "criterion: '???' makes no name for a facet"),
        (scored(scores={"fluency": "x"}), "scores.fluency: input should be a valid number"),
        (scored(system_output=" "), "system_output: empty"),
        (scored(source="a\0"), "text: holds a NUL character"),
        (scored(system_id="s" * 300), "system: string should have at most 200 characters"),
        ("x", "record: input should be a valid dictionary"),
    ],
)
def test_a_wrong_scored_output_is_skipped(tmp_path: Path, bad: Any, complaint: str) -> None:
    path = write_json(tmp_path / "u.json", [scored(), bad, scored()])
    (line,) = skipped("unieval", path)
    assert line.startswith(f"u.json (record 1): {complaint}")
    study = Study.objects.get()
    assert sorted(study.units.values_list("key", flat=True)) == ["0", "2"]
    assert Annotation.objects.count() == 4


def labelled(number: int, **changes: Any) -> dict[str, Any]:
    claims = [{"id": "1", "text": f"Claim {number}.", "judgment": True, "importance": "vital"}]
    about = {"query": f"Q{number}?", "response": {"text": f"Claim {number}."}}
    return about | {"decomposition": [{"decomp": claims}]} | changes


def test_a_line_of_one_raters_file_is_skipped_alone(tmp_path: Path) -> None:
    human = [labelled(n) for n in range(4)]
    judge = [labelled(0), {"query": "x"}, labelled(7), labelled(3)]
    first = write_lines(tmp_path / "human-eval_normal.jsonl", human)
    second = write_lines(tmp_path / "gpt_normal.jsonl", judge)
    reason = "another response or other claims than in human-eval_normal.jsonl"
    assert skipped("vitalerrors", first, second) == [
        "gpt_normal.jsonl:2: response: missing (and 1 more)",
        f"gpt_normal.jsonl:3: decomposition: {reason}",
    ]
    study = Study.objects.get()
    assert study.units.count() == 4
    assert set(answers_of(study, "human-eval")) == {f"normal/{n}" for n in (1, 2, 3, 4)}
    assert set(answers_of(study, "gpt")) == {"normal/1", "normal/4"}


def table(folder: Path, *rows: str) -> Path:
    return write_table(folder / "t.csv", "rater,item,system,rating", *rows)


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [
        ("a,i2,s", "columns: 3 cells under 4 names"),
        ("a,,s,3", "item: empty"),
        ("a,i2\0,s,3", "text: holds a NUL character"),
        ("humans,i2,s,1", "rater: "),
    ],
)
def test_a_row_that_cannot_be_used_is_skipped(tmp_path: Path, bad: str, complaint: str) -> None:
    path = table(tmp_path, "a,i1,s,3", bad, "b,i1,s,4", "a,i3,s,5")
    (line,) = skipped("ratings", path)
    assert line.startswith(f"t.csv:3: {complaint}"), line
    study = Study.objects.get()
    assert sorted(study.units.values_list("key", flat=True)) == ["i1/s", "i3/s"]
    assert Annotation.objects.count() == 3
    (criterion,) = study.blocks.get().options["criteria"]
    assert [point["value"] for point in criterion["points"]] == [3, 4, 5]


@pytest.mark.parametrize("cell", ["high", "1e999"])
def test_a_rating_that_is_no_number_is_left_out_of_its_scale(tmp_path: Path, cell: str) -> None:
    path = table(tmp_path, "a,i1,s,3", f"a,i2,s,{cell}", "b,i2,s,4", "a,i3,s,5")
    assert skipped("ratings", path) == [f"t.csv:3: rating: {cell!r} is not a number"]
    study = Study.objects.get()
    assert sorted(study.units.values_list("key", flat=True)) == ["i1/s", "i2/s", "i3/s"]
    (criterion,) = study.blocks.get().options["criteria"]
    assert [point["value"] for point in criterion["points"]] == [3, 4, 5]


def test_a_row_in_another_encoding_is_skipped_with_its_line(tmp_path: Path) -> None:
    path = table(tmp_path, "a,i1,s,3", "a,i2,é,3", "ü,i1,s,4")
    path.write_bytes(path.read_bytes().replace("é".encode(), "é".encode("latin-1")))
    assert skipped("ratings", path) == ["t.csv:3: encoding: not UTF-8"]


def test_a_quote_that_is_never_closed_swallows_no_rows(tmp_path: Path) -> None:
    path = table(tmp_path, "a,i1,s,3", 'a,"i2,s,3', "b,i1,s,4")
    assert outcome("ratings", path)["counts"]["answers"] == 3


def test_an_answer_off_its_scale_is_skipped_and_counted(tmp_path: Path) -> None:
    path = table(tmp_path, "a,i1,s,3", "b,i1,s,9", "c,i1,s,4")
    columns = tmp_path / "map.yaml"
    columns.write_text("scales: {rating: {low: 1, high: 5, level: ordinal}}\n")
    printed = outcome("ratings", path, columns=columns)
    assert printed["counts"]["answers_skipped"] == 1
    assert printed["counts"]["answers"] == 2
    assert [s["where"] for s in printed["skipped"]] == ["t.csv:3"]


def test_the_same_answer_twice_is_skipped_and_another_one_refused(tmp_path: Path) -> None:
    rows = ["a,i1,s,3", "a,i1,s,3", "b,i1,s,4"]
    assert skipped("ratings", table(tmp_path, *rows)) == [
        "t.csv:3: unit: 'a' has already answered 'i1/s'"
    ]
    Study.objects.all().delete()
    path = table(tmp_path, *rows, "b,i1,s,5")
    assert refused("ratings", path) == "t.csv:5: unit: 'b' has already answered 'i1/s'"


def test_a_row_of_ranks_is_skipped(tmp_path: Path) -> None:
    path = write_table(tmp_path / "r.csv", "item,x,y", "i1,1,2", "i2,1,3", "i3,2,1")
    assert skipped("ranks", path) == ["r.csv:3: y: 3 is not a rank from 1 to 2"]
    assert sorted(Unit.objects.values_list("key", flat=True)) == ["i1", "i3"]


def test_a_rating_by_a_rater_is_skipped_with_its_unit(tmp_path: Path) -> None:
    people = {"ada": {"u1": 1, "u2": "good", "u3": 2}, "bob": {"u1": 2, "u4": None, "u3": 10**400}}
    path = write_json(tmp_path / "people.json", people)
    assert skipped("raters", path, level="ordinal") == [
        "people.json (rater ada): u2: 'good' is not a number",
        "people.json (rater bob): u4: 'None' is not a number",
        "people.json (rater bob): u3: too large a number",
    ]
    assert sorted(Unit.objects.values_list("key", flat=True)) == ["u1", "u3"]


def test_a_published_figure_that_is_no_number_is_skipped(tmp_path: Path) -> None:
    header = "study,system,rater,metric,value"
    path = write_table(tmp_path / "s.csv", header, "p,a,all,mean,3", "p,b,all,mean,n/a")
    assert skipped("summary", path) == ["s.csv:3: value: 'n/a' is not a number"]
    assert len(Study.objects.get().imported["published"]) == 1


FOREIGN = Path(__file__).parent / "foreign"


def test_a_record_of_another_form_is_skipped_and_not_a_fault(tmp_path: Path) -> None:
    records = json.loads((FOREIGN / "argilla" / "records.json").read_text())
    name = next(iter(records[0]["responses"]))
    records[0]["responses"][name] = [{"value": "yes"}]  # nobody's
    path = write_json(tmp_path / "records.json", records)
    (line,) = skipped("argilla", path)
    assert line == "records.json (record 0): record: not of the form that is read here ('user_id')"


def test_a_file_of_another_form_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "annotation_output").mkdir()
    state = FOREIGN / "potato" / "annotation_output" / "ann" / "user_state.json"
    write_bytes(tmp_path / "annotation_output" / "user_state.json", state.read_bytes())
    config = tmp_path / "config.yaml"
    config.write_text("annotation_schemes: [{name: a}]\ndata_files: true\n", encoding="utf-8")
    assert refused("potato", tmp_path).endswith(
        "config.yaml: record: not of the form that is read here ('bool' object is not iterable)"
    )
