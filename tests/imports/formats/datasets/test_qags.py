from pathlib import Path
from typing import Any

import pytest

from tests.imports.small_files import write_json, write_lines
from tests.imports.tables import answers_of, import_files, refusal

pytestmark = pytest.mark.django_db


def voted(*votes: str, article: str = "The ferry sails at nine.") -> dict[str, Any]:
    """A summary with one sentence per text of votes, such as "yyn"."""
    sentences = [
        {
            "sentence": f"Sentence {number}.",
            "responses": [
                {"worker_id": voter, "response": {"y": "yes", "n": "no"}.get(vote, vote)}
                for voter, vote in enumerate(given)
            ],
        }
        for number, given in enumerate(votes)
    ]
    return {"article": article, "summary_sentences": sentences}


def predicted(score: Any) -> dict[str, Any]:
    return {"system_id": 0, "source": "", "predict_scores": {"consistency": score}}


def test_voters_become_people_and_predictions_a_judge(tmp_path: Path) -> None:
    votes = write_lines(tmp_path / "votes.jsonl.gz", [voted("yyn", "ynn"), voted("yyy")])
    scores = write_json(tmp_path / "predictions.json", [predicted(0.25), predicted(1)])
    study = import_files("qags", votes, scores)
    assert set(study.raters.values_list("name", "kind")) == {
        ("0", "human"),
        ("1", "human"),
        ("2", "human"),
        ("unieval", "judge"),
    }
    assert answers_of(study, "1") == {
        "0 consistency": {"scores": {"consistency": ["yes", "no"]}},
        "1 consistency": {"scores": {"consistency": ["yes"]}},
    }
    assert answers_of(study, "unieval") == {
        "0 consistency_score": {"value": 0.25},
        "1 consistency_score": {"value": 1.0},
    }
    elements = study.annotations.filter(rater__name="1", question__unit__key="0").get().ratings
    assert sorted(elements.values_list("element", "label")) == [("0", "yes"), ("1", "no")]


def test_votes_alone_are_enough(tmp_path: Path) -> None:
    study = import_files("qags", write_lines(tmp_path / "votes.jsonl", [voted("yny")]))
    assert study.raters.count() == 3
    assert [block.key for block in study.blocks.all()] == ["consistency"]


@pytest.mark.parametrize(
    ("summaries", "predictions", "reason"),
    [
        ([voted("yyn")], [predicted(1), predicted(0)], "votes.jsonl (record 1): records: ends"),
        ([voted("yyn")] * 2, [predicted(1)], "p.json (record 1): records: ends here"),
        ([voted("yyn")], [predicted("high")], "p.json (record 0): predict_scores.consistency: "),
        ([voted("yyn")], [predicted(1.5)], "p.json (record 0): predict_scores.consistency: "),
        ([voted("yyn"), voted("yy?")], [predicted(1)] * 2, "votes.jsonl:2: summary_sentences[0]."),
        ([voted("yyn", "yy")], [predicted(1)], "votes.jsonl:1: summary_sentences[1].responses: no"),
        ([{"article": "A."}], [predicted(1)], "votes.jsonl:1: summary_sentences: missing"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(
    tmp_path: Path, summaries: list[Any], predictions: list[Any], reason: str
) -> None:
    votes = write_lines(tmp_path / "votes.jsonl", summaries)
    assert refusal("qags", votes, write_json(tmp_path / "p.json", predictions)).startswith(reason)
