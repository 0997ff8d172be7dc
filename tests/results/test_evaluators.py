"""Evaluators of actionability against one human score: the example, recorded and at an endpoint.

Every figure of `report --table evaluators` is computed once more from the raw replies.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from io import StringIO
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest
import yaml
from django.conf import settings
from django.core.management import CommandError, call_command
from scipy.stats import kendalltau, pearsonr

from estimates.data.rows import COMMON, SCORE_FACET
from judges.models import Call
from tests.judges.endpoints import MODEL, Opening
from tests.services.endpoint import Behaviour

EXAMPLE = Path(settings.BASE_DIR) / "examples" / "fingract"
SLUG = "example-fingract"
SCORING = ("pipeline", "sampled", "graded", "panel")

pytestmark = pytest.mark.django_db

Scores = dict[str, float]
Figures = dict[tuple[str, str, bool], tuple[float, int]]


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (EXAMPLE / name).read_text(encoding="utf-8").splitlines()]


def compare(study_file: Path) -> Figures:
    """By metric, judge and whether on common units: the value and the number of units."""
    call_command("apply_study", str(study_file), verbosity=0)
    call_command("import_answers", SLUG, str(EXAMPLE / "answers.jsonl"), verbosity=0)
    run("rubric", "--block", "rubric")
    with pytest.raises(CommandError, match="pipeline@1: partial"):
        run(*SCORING, "--block", "holistic")
    out = StringIO()
    call_command("report", SLUG, "--table", "evaluators", "--json", stdout=out)
    return {
        (row["metric"], row["raters"].split("~")[1], COMMON.items() <= row["group"].items()): (
            row["value"],
            row["n_units"],
        )
        for row in json.loads(out.getvalue())["estimates"]
        if "@" not in row["raters"]
        and row["group"].get(SCORE_FACET, "")
        == ("actionability" if "rubric" in row["raters"] else "")
    }


def run(*arguments: str) -> None:
    call_command("judge", SLUG, *arguments, "--wait", stdout=StringIO())


# --- The same from the replies --------------------------------------------------------------------


def computed(people: Scores) -> Figures:
    replies: dict[str, dict[str, dict[str, list[str]]]] = defaultdict(lambda: defaultdict(dict))
    for call in Call.objects.filter(status="answered").select_related(
        "question__unit", "run__judge"
    ):
        of_unit = replies[call.run.judge.name][call.question.unit.key]
        of_unit.setdefault(call.step, []).append(call.reply)
    scores: dict[str, Scores] = {
        "rubric": _each(replies["rubric"], lambda steps: rubric(steps, "explanation")),
        "pipeline": _each(replies["pipeline"], lambda steps: rubric(steps, "own explanation")),
        "sampled": _each(replies["sampled"], lambda steps: fmean(map(float, steps["score 0"]))),
        "graded": _each(replies["graded"], graded),
    }
    members = [scores[name] for name in ("pipeline", "sampled", "graded")]
    scores["panel"] = {u: fmean(m[u] for m in members if u in m) for u in people}
    common = set.intersection(*(set(each) for each in scores.values()))
    return {
        (metric, judge, on_common): (value, len(units))
        for judge, each in scores.items()
        for on_common, units in ((False, sorted(each)), (True, sorted(common)))
        for metric, value in figures([each[u] for u in units], [people[u] for u in units]).items()
    }


def _each(
    replies: Mapping[str, dict[str, list[str]]], score: Callable[[dict[str, list[str]]], float]
) -> Scores:
    """Of the units whose last step was answered."""
    found = {}
    for unit, steps in replies.items():
        if not steps.keys() <= {"errors"}:
            found[unit] = score(steps)
    return found


def rubric(steps: dict[str, list[str]], step: str) -> float:
    errors = json.loads(steps[step][0])["errors"]
    links = json.loads(steps["links"][0])["links"] if "links" in steps else []
    parts = [
        [error["points_out"] for error in errors],
        [error["corrects"] for error in errors],
        [link[name] for link in links for name in ("exists", "relevant", "supports")],
    ]
    return sum(2 if part and all(part) else int(any(part)) for part in parts) * 5 / 6


def graded(steps: dict[str, list[str]]) -> float:
    (verdict,) = re.findall(r"\[RESULT\] (\d)", steps["grade 0"][0])
    return (int(verdict) - 1) / 4 * 5


def figures(scores: list[float], people: list[float]) -> dict[str, float]:
    above = np.array(scores) - np.array(people) >= 2 - 1e-9
    return {
        "pearson": pearsonr(scores, people).statistic,
        "kendall_tau_b": kendalltau(np.round(scores, 9), np.round(people, 9)).statistic,
        "ego_centric_share": above.mean(),
    }


def people() -> Scores:
    given = defaultdict(list)
    for answer in lines("answers.jsonl"):
        given[answer["unit"]].append(answer["answer"]["value"])
    return {unit: fmean(values) for unit, values in given.items()}


def check(found: Figures) -> None:
    expected = computed(people())
    assert found.keys() == expected.keys()
    assert len(found) == 3 * 5 * 2
    for key, (value, n_units) in expected.items():
        assert found[key][0] == pytest.approx(value, abs=1e-9), key
        assert found[key][1] == n_units, key


# --- The tests ------------------------------------------------------------------------------------


def test_the_example_compares_every_evaluator_with_one_score(monkeypatch: Any) -> None:
    monkeypatch.chdir(settings.BASE_DIR)
    found = compare(EXAMPLE / "study.yaml")
    check(found)
    assert found["ego_centric_share", "sampled", False] == (3 / 8, 8)
    assert found["pearson", "pipeline", False][1] == 7
    out = StringIO()
    call_command("report", SLUG, "--table", "evaluators", stdout=out)
    assert len(out.getvalue().splitlines()) == 6 + 30


def test_the_same_at_an_endpoint(endpoint: Opening, tmp_path: Path) -> None:
    server = endpoint(Behaviour(answer=Model()))
    found = compare(asking(tmp_path / "study.yaml"))
    check(found)
    assert found["pearson", "pipeline", False][1] == 6  # it finds no error in the museum's claim
    assert server.charged["calls"] > 8 * 5


def asking(file: Path) -> Path:
    """The example with judges that ask a model."""
    study = yaml.safe_load((EXAMPLE / "study.yaml").read_text(encoding="utf-8"))
    study["items"] = str(EXAMPLE / "items.jsonl")
    for judge in study["judges"]:
        if judge.get("backend"):
            judge |= {"backend": "chat", "model": MODEL}
            judge["parameters"] = {k: v for k, v in judge["parameters"].items() if k != "replies"}
    file.write_text(yaml.safe_dump(study), encoding="utf-8")
    return file


class Model:
    """Replies as the file of recorded ones does, by what it is asked."""

    def __init__(self) -> None:
        self.replies = defaultdict[tuple[str, str], list[str]](list)
        for line in lines("replies.jsonl"):
            self.replies[line["unit"], line["step"]].append(line["reply"])
        self.texts = {
            record["unit"]["key"]: " ".join(s["text"] for s in record["items"][0]["sentences"])
            for record in lines("items.jsonl")
        }
        self.claims = {record["unit"]["key"]: record["source"]["claim"]
                       for record in lines("items.jsonl")}  # fmt: skip
        self.samples: dict[str, int] = defaultdict(int)

    def __call__(self, asked: Mapping[str, Any]) -> str:
        said = "\n".join(message["content"] for message in asked["messages"])
        wanted = json.dumps(asked.get("response_format", ""))
        if "subclaims" in wanted:  # without the explanation: the first of the claim
            unit = next(unit for unit, claim in self.claims.items() if claim in said)
            return self.replies[unit, "errors"][0]
        if "supports" in wanted:
            (link,) = re.findall(r"^0: (\S+)", said, re.MULTILINE)
            unit = next(unit for unit, text in self.texts.items() if link in text)
            return self.replies[unit, "links"][0]
        unit = next(unit for unit, text in self.texts.items() if text in said)
        if "points_out" in wanted:
            return self.replies[unit, "explanation"][0]
        if len(asked["messages"]) > 1:
            return self.replies[unit, "grade 0"][0]
        self.samples[unit] += 1
        return self.replies[unit, "score 0"][self.samples[unit] % 3]
