"""Files of human evaluations as their authors left them: what is read has the figures of those who
looked at them before, which are in the README of each folder."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import pandas as pd  # type: ignore[import-untyped]
import pytest

from files.errors import ImportFailure
from files.readers.raw_tables import raw_tables
from files.reading.proposal_parts import Proposal
from files.reading.proposals import proposed
from tests.files.reading.frames import alpha, frame_of, settled, wins, won_less_lost

Figures = dict[str, float]
MOST_QUESTIONS = 2
MOST_WAYS = 40


@dataclass(frozen=True)
class Case:
    """Files of a folder, what is computed of their answers, and what it must be."""

    key: str
    files: tuple[str, ...]
    figures: Callable[[Any], Figures]
    right: Figures
    within: float = 0.0006
    questions: int = 0
    is_long: bool = False
    """Whether it takes more than some seconds."""


@pytest.fixture(scope="session")
def published(shared_data: Path) -> Path:
    folder = shared_data / "as-published"
    if not folder.is_dir():
        pytest.skip("no files as published in ../shared/data beside this checkout")
    return folder


def of(frame: Any, *words: str) -> Any:
    """The answers to the one criterion whose name has all words."""
    names = [
        name
        for name in frame.criterion.unique()
        if all(word.casefold() in name.casefold() for word in words)
    ]
    assert len(names) == 1, (words, sorted(frame.criterion.unique()))
    return frame[frame.criterion == names[0]]


def sliders(frame: Any) -> Figures:
    found: dict[str, float] = {"answers": len(frame), "raters": frame.rater.nunique()}
    for name in ("meaning", "fluency", "simplicity"):
        part = of(frame, name)
        found |= {f"α {name}": alpha(part, "interval"), f"mean {name}": part.value.mean()}
    return found


def preferences(frame: Any) -> Figures:
    found: dict[str, float] = {"answers": len(frame), "raters": frame.rater.nunique()}
    asset = next(name for name in {*frame.system, *frame.second} if "asset" in name)
    for name in ("fluency", "meaning", "simplicity"):
        for other in ("turkcorpus", "hsplit"):
            part = of(frame, name)
            part = part[(part.system == other) | (part.second == other)]
            won = part.value.map({"first": "system", "second": "second"})
            winner = pd.Series(
                [row[side] if isinstance(side, str) else "" for side, (_, row) in zip(
                    won, part.iterrows(), strict=True)]
            )  # fmt: skip
            found[f"{name} asset over {other}"] = 100 * (winner == asset).mean()
            found[f"{name} {other}"] = 100 * (winner == other).mean()
    return found


def best_of_two(frame: Any) -> Figures:
    best = of(frame, "best") if frame.criterion.nunique() > 1 else frame
    return {"α": alpha(best, "nominal")} | won_less_lost(best, 240)


def best_by_criterion(frame: Any) -> Figures:
    return won_less_lost(of(frame, "best", "coh"), 240) | {
        f"{name} redundancy": share
        for name, share in won_less_lost(of(frame, "best", "redun"), 240).items()
    }


def fluency(frame: Any) -> Figures:
    people = frame[frame.replicate == 0]
    counts = people.groupby("unit").size().value_counts()
    return {
        "α": alpha(frame, "ordinal"),
        "answers": len(people),
        "rated by 4": counts[4],
        "rated by 10": counts[10],
    }


def fluency_by_system(frame: Any) -> Figures:
    first = frame[frame.replicate == 0]
    return fluency(frame) | {
        f"{rater} {system}": first[
            first.rater.eq(rater) & first.system.str.startswith(system)
        ].value.mean()
        for rater in ("009", "010")
        for system in ("SVM", "GEDI", "DEXPERT")
    }


def acceptable(frame: Any) -> Figures:
    yes = frame.value.astype(str).isin(["1", "1.0", "yes", "True", "true"])
    share = yes.groupby(frame.system).mean() * 100
    return {"units": frame.unit.nunique(), "answers": len(frame), "α": alpha(frame, "nominal")} | {
        name: share[name] for name in ("greedy", "0", "1", "2", "3")
    }


def fine_grained(frame: Any) -> Figures:
    frame = frame[frame.value.astype(str).isin(["-1.0", "0.0", "1.0", "-1", "0", "1"])]
    frame = frame.assign(value=frame.value.astype(float))
    found: dict[str, float] = {"systems": frame.system.nunique()}
    for name in ("grammar", "generality", "new_info"):
        found[name] = alpha(of(frame, name), "ordinal")
    return found


def present(frame: Any) -> Figures:
    said = frame.value.astype(str).map({"p": 1, "n": 0, "1.0": 1, "0.0": 0, "1": 1, "0": 0})
    frame = frame.assign(value=said.astype(float))
    majority = frame.groupby(["system", "source", "unit"]).value.mean() > 0.5
    recall = majority.groupby(["system", "source"]).mean().groupby("system").mean()
    found = {"n": (said == 0).sum(), "p": (said == 1).sum(), "α": alpha(frame, "nominal")}
    return found | {
        name: next(share for system, share in recall.items() if name in system)
        for name in ("semsim", "bottom_up", "neusumm", "banditsumm")
    }


_FACETS = (
    ("fluent",),
    ("population",),
    ("intervention",),
    ("outcome",),
    ("direction", "target"),
    ("direction", "generated"),
    ("strength", "target"),
    ("strength", "generated"),
)


def facets(frame: Any) -> Figures:
    return {" ".join(words): alpha(of(frame, *words), "nominal") for words in _FACETS}


def which_is_better(frame: Any) -> Figures:
    found = frame.value.value_counts().to_dict()
    return {name: found.get(name, 0) for name in ("first", "second", "tie")} | {
        f"answered {n}": many for n, many in enumerate(sorted(frame.groupby("rater").size()))
    }


def people_and_judges(frame: Any) -> Figures:
    people = frame[frame.kind == "human"]
    majority = people.groupby("unit").value.agg(lambda values: values.mode()[0])
    found: Figures = (
        {"α": alpha(people, "nominal")}
        | majority.value_counts().to_dict()
        | wins_of(majority, people)
    )
    for name in ("gpt", "pandalm"):
        judge = frame[frame.rater.str.contains(name) & (frame.kind == "judge")].set_index("unit")
        same = judge.value == majority.reindex(judge.index)
        found |= {f"{name} answers": len(judge), f"{name} right": 100 * same.mean()}
    return found


def wins_of(majority: Any, people: Any) -> dict[str, float]:
    systems = people.groupby("unit")[["system", "second"]].first()
    return wins(systems.assign(value=majority))


def seven_criteria(frame: Any) -> Figures:
    found: dict[str, float] = {"answers": len(frame)}
    level = {"fl": 0.277, "co": 0.264, "re": 0.409, "fa": 0.521, "ac": 0.604, "sc": 0.351}
    for name in (*level, "sp"):
        found[name] = alpha(frame[frame.criterion == name], "ordinal")
    return found


def seven_criteria_by_system(frame: Any) -> Figures:
    means = frame.groupby("system").value.mean()
    return seven_criteria(frame) | {
        name: means[name] for name in ("gpt-4", "human-summaries", "ls-sum-g", "plansum")
    }


_COHERENCE = {"sys0": -0.4167, "sys1": 25.4167, "sys2": -15.0, "sys3": -10.4167, "sys4": 0.4167}
_REDUNDANCY = {"sys0": -2.5, "sys1": 43.75, "sys2": -25.4167, "sys3": -14.5833, "sys4": -1.25}
_SEVEN = {
    "answers": 8736,
    "fl": 0.277,
    "co": 0.264,
    "re": 0.409,
    "fa": 0.521,
    "ac": 0.604,
    "sc": 0.351,
    "sp": 0.298,
}
_FLUENCY = {"α": 0.549, "answers": 1920, "rated by 4": 180, "rated by 10": 120}
CASES = (
    Case(
        "sliders",
        ("asset-sliders/human_ratings.csv.gz",),
        sliders,
        {
            "answers": 4500,
            "raters": 31,
            "α meaning": 0.587,
            "α fluency": 0.561,
            "α simplicity": 0.435,
            "mean meaning": 49.264,
            "mean fluency": 56.723,
            "mean simplicity": 39.598,
        },
    ),
    Case(
        "preferences",
        ("asset-sliders/asset_pairwise*.csv",),
        preferences,
        {
            "answers": 2154,
            "raters": 10,
            "fluency asset over turkcorpus": 38.4,
            "fluency turkcorpus": 22.8,
            "meaning asset over turkcorpus": 23.7,
            "meaning turkcorpus": 37.9,
            "simplicity asset over turkcorpus": 41.2,
            "simplicity turkcorpus": 20.1,
            "fluency asset over hsplit": 53.5,
            "fluency hsplit": 19.5,
            "meaning asset over hsplit": 17.0,
            "meaning hsplit": 51.5,
            "simplicity asset over hsplit": 59.1,
            "simplicity hsplit": 14.8,
        },
        within=0.06,
    ),
    Case(
        "best of two",
        ("data2text-mturk-xlsx/Coherence.xlsx",),
        best_of_two,
        {"α": 0.1331, **_COHERENCE},
        within=0.01,
    ),
    Case(
        "best of two, by file",
        ("data2text-mturk-xlsx/Coherence.xlsx", "data2text-mturk-xlsx/Repetition.xlsx"),
        best_by_criterion,
        _COHERENCE | {f"{name} redundancy": share for name, share in _REDUNDANCY.items()},
        within=2.0,  # of redundancy the answers that are no letter are left out
        is_long=True,
    ),
    Case(
        "fluency, a column a person",
        ("definitions-qualtrics/iaa.xlsx",),
        fluency,
        _FLUENCY,
        questions=1,  # columns `001` to `010` may be people or anything else
    ),
    Case(
        "fluency, a row a person",
        ("definitions-qualtrics/Reprohum*.csv",),
        fluency,
        _FLUENCY,
        questions=1,
        is_long=True,
    ),
    Case(
        "fluency, with its items",
        ("definitions-qualtrics/Reprohum*.csv", "definitions-qualtrics/definitions.json"),
        fluency_by_system,
        _FLUENCY,
        questions=1,
        is_long=True,
    ),
    Case(
        "acceptable",
        ("explanations-multiselect/commonsenseqa_test.csv",),
        acceptable,
        {"units": 1250, "answers": 3750, "α": 0.401, "greedy": 74.0},
        within=0.06,
    ),
    Case(
        "fine-grained, a file a system",
        ("explanations-multiselect/fine_grained_*.csv",),
        fine_grained,
        {"systems": 3, "grammar": 0.53, "generality": 0.31, "new_info": 0.23},
        within=0.006,
        is_long=True,
    ),
    Case(
        "statements present",
        ("realsumm-pyramid/abs/*.csv",),
        present,
        {
            "n": 29646,
            "p": 22958,
            "α": 0.782,
            "semsim": 0.562,
            "bottom_up": 0.317,
            "neusumm": 0.474,
            "banditsumm": 0.469,
        },
        is_long=True,
    ),
    Case(
        "facets by annotator",
        ("mslr-medical/Data for*.tsv",),
        facets,
        {
            "fluent": 0.521,
            "population": 0.336,
            "intervention": 0.604,
            "outcome": 0.197,
            "direction target": 0.850,
            "direction generated": 0.786,
            "strength target": 0.298,
            "strength generated": 0.776,
        },
        questions=1,
    ),
    Case(
        "facets of the pilot",
        ("mslr-medical/pilot/*.tsv",),
        facets,
        {
            "fluent": 0.703,
            "population": 0.444,
            "intervention": 0.453,
            "outcome": 0.278,
            "direction target": 0.566,
            "direction generated": 0.840,
            "strength target": 0.384,
            "strength generated": 0.749,
        },
        questions=1,
    ),
    Case(
        "which is better, a file a person",
        ("mslr-medical/sample*.tsv",),
        which_is_better,
        {
            "first": 160,
            "second": 203,
            "tie": 89,
            "answered 0": 49,
            "answered 1": 99,
            "answered 2": 99,
            "answered 3": 102,
            "answered 4": 103,
        },
    ),
    Case(
        "people and judges",
        ("pandalm/*.json",),
        people_and_judges,
        {
            "α": 0.864,
            "tie": 105,
            "first": 422,
            "second": 472,
            "llama-7b": 0.711,
            "pythia-6.9b": 0.523,
            "bloom-7b": 0.489,
            "opt-7b": 0.422,
            "cerebras-gpt-6.7B": 0.338,
            "pandalm answers": 999,
            "pandalm right": 66.8,
            "gpt answers": 974,
            "gpt right": 71.6,
        },
        within=0.06,
        questions=1,
    ),
    Case(
        "lists of lists",
        ("summeval-op/*detailed.jsonl",),
        seven_criteria,
        _SEVEN,
        questions=1,  # whether the same place in each list is the same system
        is_long=True,
    ),
    Case(
        "lists of lists, with names beside",
        ("summeval-op/*.jsonl",),
        seven_criteria_by_system,
        _SEVEN | {"gpt-4": 4.77, "human-summaries": 3.81, "ls-sum-g": 3.10, "plansum": 1.66},
        within=0.006,
        questions=1,
    ),
)


def files_of(case: Case, published: Path) -> list[Path]:
    found = [path for pattern in case.files for path in sorted(published.glob(pattern))]
    assert found
    return found


def differs(case: Case, frame: Any) -> str:
    """Which figures are others; nothing where all are right."""
    try:
        found = case.figures(frame)
    except (AssertionError, KeyError, StopIteration, TypeError, ValueError) as error:
        return repr(error)
    return ", ".join(
        f"{name}: {found.get(name)}, not {value}"
        for name, value in case.right.items()
        if name not in found or not abs(found[name] - value) <= case.within
    )


def told_of(case: Case, files: Sequence[Path]) -> tuple[Proposal, dict[str, str]]:
    """The proposal, and for each way to settle it until one is right, which figures differ."""
    tables, told = raw_tables(files), {}
    for decided, proposal in islice(settled(tables), MOST_WAYS):
        told[str(decided)] = differs(case, frame_of(proposal.reading, tables))
        if not told[str(decided)]:
            break
    return proposed(tables), told


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case.key, marks=[pytest.mark.slow] if case.is_long else [])
        for case in CASES
    ],
)
def test_published_files_come_to_their_figures(case: Case, published: Path) -> None:
    proposal, told = told_of(case, files_of(case, published))
    assert not all(told.values()), (proposal.sentence, told)
    assert len(proposal.questions) <= case.questions, [each.text for each in proposal.questions]


@pytest.mark.slow
def test_no_folder_asks_more_than_two_questions(published: Path) -> None:
    for folder in sorted(path for path in published.iterdir() if path.is_dir()):
        try:
            proposal = proposed(raw_tables([folder]))
        except ImportFailure:
            continue
        assert len(proposal.questions) <= MOST_QUESTIONS, folder.name
