"""Position bias as rows, where texts are weighed side by side."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotation.models import Study
from estimates.data.options import Options
from estimates.data.rows import Row
from judges.definitions.versions import define_judge
from judges.models import JudgeRun
from judges.runs.plans.plan import plan_run
from tests.judges.scripted_judges import work_all
from tests.results.estimates import estimate_study

SHARE, SAME = "position_share", "position_consistency"


def comparing(
    folder: Path,
    task_type: str,
    orders: Mapping[str, list[int]],
    answers: list[tuple[str, str, dict[str, Any]]],
) -> Study:
    """Units by key, each of them showing the texts of Larch, Maple and so on in that order. A
    key such as `pier/2` is the second unit about the same texts. Ada is a person, gpt a judge."""
    lines: list[dict[str, Any]] = [
        {"study": {"title": "Side by side", "blocks": [{"task_type": task_type}]}}
    ]
    for key, order in orders.items():
        source = key.partition("/")[0]
        items = [
            {"key": f"{source}/{name}", "system": name, "text": f"{name} on {source}."}
            for name in ("Larch", "Maple", "Rowan")[: len(order)]
        ]
        about = {"key": source, "claim": f"The {source} was sold.", "verdict": "false"}
        unit = {"key": key, "subsets": ["full"], "focus": {"order": order}}
        lines.append({"source": about, "items": items, "unit": unit})
    (folder / "items.jsonl").write_text("\n".join(map(json.dumps, lines)))
    call_command("import_study", "jsonl", str(folder / "items.jsonl"), slug="side", verbosity=0)
    given = [
        {
            "unit": unit,
            "rater": rater,
            "kind": "human" if rater == "ada" else "judge",
            "answer": answer,
        }
        for unit, rater, answer in answers
    ]
    (folder / "answers.jsonl").write_text("\n".join(map(json.dumps, given)))
    call_command("import_answers", "side", str(folder / "answers.jsonl"), verbosity=0)
    return Study.objects.get(slug="side")


def rows(study: Study) -> dict[tuple[str, str], Row]:
    found = estimate_study(study, Options(resamples=50)).rows
    return {(row.metric, row.raters): row for row in found if row.metric in (SHARE, SAME)}


def prefers(which: str) -> dict[str, Any]:
    return {"preferred": {"preference": which}}


def test_the_first_one_shown_may_be_preferred_more_often(db: None, tmp_path: Path) -> None:
    """gpt takes the text on the left of three and finds one equal: 3/3. ada takes Larch, which
    stands on the left twice: 2/4."""
    orders = {"pier": [0, 1], "pool": [1, 0], "tram": [0, 1], "quay": [1, 0]}
    choices = {"pier": "first", "pool": "second", "tram": "first", "quay": "tie"}
    answers = [(unit, "gpt", prefers(which)) for unit, which in choices.items()]
    answers += [(unit, "ada", prefers("first")) for unit in orders]
    study = comparing(tmp_path, "pairwise", orders, answers)

    found = rows(study)

    share = found[SHARE, "gpt"]
    assert (share.estimate.value, share.facet, share.aggregation) == (1, "preference", "pooled")
    assert (share.estimate.n_units, share.estimate.n_raters, share.estimate.n_ratings) == (3, 1, 3)
    assert share.estimate.interval_method is not None
    assert found[SHARE, "humans"].estimate.value == 1 / 2
    assert found[SAME, "gpt"].estimate.undefined == "no two texts were shown in both orders"


def test_the_same_choice_whichever_is_shown_first(db: None, tmp_path: Path) -> None:
    """ada prefers Larch whichever way round; gpt takes the left one of the pier's and calls the
    pool's equal both times: the same verdict in one of two."""
    orders = {"pier/1": [0, 1], "pier/2": [1, 0], "pool/1": [1, 0], "pool/2": [0, 1]}
    answers = [(unit, "ada", prefers("first")) for unit in orders]
    answers += [("pier/1", "gpt", prefers("first")), ("pier/2", "gpt", prefers("second"))]
    answers += [(unit, "gpt", prefers("tie")) for unit in ("pool/1", "pool/2")]
    study = comparing(tmp_path, "pairwise", orders, answers)

    found = rows(study)

    assert found[SAME, "humans"].estimate.value == 1
    assert found[SAME, "gpt"].estimate.value == 1 / 2
    assert found[SHARE, "gpt"].estimate.value == 1
    assert found[SHARE, "humans"].estimate.value == 1 / 2


def test_ranks_are_taken_pair_by_pair(db: None, tmp_path: Path) -> None:
    """Shown as Rowan, Larch, Maple and ranked 2, 1, 2: of Rowan-Larch the second one, of
    Larch-Maple the first, Rowan and Maple are tied. So 1/2."""
    ranks = {"ranks": {"overall": [1, 2, 2]}}
    study = comparing(tmp_path, "ranking", {"pier": [2, 0, 1]}, [("pier", "gpt", ranks)])

    share = rows(study)[SHARE, "gpt"]

    assert share.estimate.value == pytest.approx(1 / 2)
    assert (share.estimate.n_units, share.estimate.n_ratings) == (1, 2)


def test_answers_that_find_all_alike_prefer_no_position(db: None, tmp_path: Path) -> None:
    study = comparing(tmp_path, "pairwise", {"pier": [0, 1]}, [("pier", "gpt", prefers("tie"))])

    found = rows(study)

    assert found[SHARE, "gpt"].estimate.undefined == "no answer puts one text before another"
    assert (SHARE, "humans") not in found


def answered_twice(study: Study, folder: Path, replies: list[dict[str, Any]]) -> JudgeRun:
    """gpt has answered every unit twice, with the first reply and then with the second."""
    lines = [
        {"unit": unit.key, "replicate": number, "reply": json.dumps(reply)}
        for unit in study.units.all()
        for number, reply in enumerate(replies)
    ]
    (folder / "replies.jsonl").write_text("\n".join(map(json.dumps, lines)))
    parameters = {"file": str(folder / "replies.jsonl")}
    judge = define_judge(study=study, name="gpt", method="scripted", parameters=parameters)
    run = work_all(plan_run(study=study, judge=judge, subset="full", replicates=2))
    assert run.state == "complete"
    return run


@pytest.mark.parametrize(
    ("second", "chosen", "probes"),
    [("A", ["first", "second"], (1, 0)), ("B", ["first", "first"], (1 / 2, 1))],
)
def test_a_judges_second_answer_is_to_the_texts_in_the_other_order(
    db: None, tmp_path: Path, second: str, chosen: list[str], probes: tuple[float, float]
) -> None:
    """Whoever says A twice, with the sides swapped between, goes by the side; whoever says A and
    then B by the text."""
    study = comparing(tmp_path, "pairwise", {"pier": [0, 1]}, [("pier", "ada", prefers("first"))])
    replies = [{"preferred": {"preference": letter}} for letter in ("A", second)]
    run = answered_twice(study, tmp_path, replies)

    asked = [call.request["prompt"] for call in run.calls.order_by("replicate")]
    assert ["Text A:\nLarch" in text for text in asked] == [True, False]
    assert ["Text B:\nLarch" in text for text in asked] == [False, True]
    kept = run.calls.order_by("replicate").values_list("detail__order", flat=True)
    assert list(kept) == [[0, 1], [1, 0]]
    answers = study.annotations.filter(rater__name="gpt").order_by("replicate")
    assert [one.answer["preferred"]["preference"] for one in answers] == chosen
    found = rows(study)
    assert tuple(found[probe, "gpt"].estimate.value for probe in (SHARE, SAME)) == probes
    assert found[SHARE, "humans"].estimate.value == 1


def test_a_judges_second_ranking_is_of_the_texts_the_other_way_round(
    db: None, tmp_path: Path
) -> None:
    """Rowan, Larch, Maple, and then Maple, Larch, Rowan, ranked 1, 2, 3 as they come: the first
    one shown is the better one in all six pairs, and no pair keeps its order."""
    ranked = ("ada", {"ranks": {"overall": [1, 2, 3]}})
    study = comparing(tmp_path, "ranking", {"pier": [2, 0, 1]}, [("pier", *ranked)])
    replies = [{"ranks": {"overall": {"A": 1, "B": 2, "C": 3}}}] * 2
    answered_twice(study, tmp_path, replies)

    found = rows(study)

    answers = study.annotations.filter(rater__name="gpt").order_by("replicate")
    assert [one.answer["ranks"]["overall"] for one in answers] == [[2, 3, 1], [2, 1, 3]]
    assert found[SHARE, "gpt"].estimate.value == 1
    assert found[SAME, "gpt"].estimate.value == 0


def test_answers_that_came_with_a_file_were_given_to_the_order_of_the_question(
    db: None, tmp_path: Path
) -> None:
    study = comparing(tmp_path, "pairwise", {"pier": [0, 1]}, [("pier", "gpt", prefers("first"))])
    again = {"unit": "pier", "rater": "gpt", "kind": "judge", "replicate": 1}
    line = json.dumps({**again, "answer": prefers("first")})
    (tmp_path / "again.jsonl").write_text(line)
    call_command("import_answers", "side", str(tmp_path / "again.jsonl"), verbosity=0)

    found = rows(study)

    assert found[SHARE, "gpt"].estimate.value == 1
    assert found[SAME, "gpt"].estimate.undefined == "no two texts were shown in both orders"
