"""The table of detection, against a computation of its own from the replies of the judge."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotation.models import Member, Study, User
from estimates.data.options import Options
from estimates.report.cache import report_of
from results.tables.detection import detection_tables
from results.tables.grids import Grid
from tests.cast import join
from tests.judges.endpoints import MODEL, Opening
from tests.services.endpoint import Behaviour

FOLDER = Path(settings.BASE_DIR) / "examples" / "detection"
CONDITIONS = ("normal", "missing", "wrong")
WEIGHTS = {"vital": 1.0, "okay": 0.5, "less-important": 0.1}
FLAGS = ("claim_unsupported", "vital_unsupported", "nugget_missing", "vital_missing")
TITLES = {
    "claim_precision": "Claim precision",
    "vital_precision": "Vital precision",
    "okay_precision": "Okay precision",
    "less_important_precision": "Less important precision",
    "weighted_precision": "Weighted precision",
    "linear_decay": "Linear decay",
    "linear_decay_top5": "Linear decay, first five",
    "claim_unsupported": "Claim unsupported",
    "vital_unsupported": "Vital claim unsupported",
    "nugget_missing": "Nugget missing",
    "vital_missing": "Vital nugget missing",
    "nugget_recall": "Nugget recall",
    "vital_nugget_recall": "Vital nugget recall",
    "weighted_recall": "Weighted recall",
}
Scores = Mapping[str, float | None]


def records(name: str) -> list[dict[str, Any]]:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def replies() -> dict[tuple[str, str], dict[str, Any]]:
    """Unit and step -> what the judge replies."""
    return {(r["unit"], r["step"]): json.loads(r["reply"]) for r in records("replies.jsonl")}


# --- The scores by their formulas -----------------------------------------------------------------


def share(weighted: Iterable[tuple[float, float]]) -> float | None:
    pairs = list(weighted)
    whole = sum(weight for weight, _ in pairs)
    return sum(weight * held for weight, held in pairs) / whole if whole else None


def flag(held: Sequence[float]) -> float | None:
    """Whether anything is not there at all."""
    return float(any(value == 0 for value in held)) if held else None


def scores_of(record: Mapping[str, Any]) -> Scores:
    unit = record["unit"]["key"]
    said = replies()
    ranking = said[unit, "rank"]["ranking"]
    held = {c["claim"]: float(c["support"] == "supported") for c in said[unit, "verify"]["claims"]}
    labels = {entry["claim"]: entry["importance"] for entry in ranking}
    order = [held[entry["claim"]] for entry in ranking]
    worth = {"supported": 1.0, "partly": 0.5, "not": 0.0}
    there = [worth[entry["support"]] for entry in said[unit, "nuggets"]["nuggets"]]
    vital = [nugget["vital"] for nugget in record["source"]["nuggets"]]
    there_vital = [value for value, is_vital in zip(there, vital, strict=True) if is_vital]
    of_label = {
        label: [held[claim] for claim in labels if labels[claim] == label] for label in WEIGHTS
    }

    def decay(supported: Sequence[float]) -> float | None:
        n = len(supported)
        return share(((n - i) / i, value) for i, value in enumerate(supported, 1))

    def strictly(values: Sequence[float]) -> float | None:
        return share((1, float(value == 1)) for value in values)

    return {
        "claim_precision": share((1, value) for value in held.values()),
        "vital_precision": share((1, value) for value in of_label["vital"]),
        "okay_precision": share((1, value) for value in of_label["okay"]),
        "less_important_precision": share((1, value) for value in of_label["less-important"]),
        "weighted_precision": share((WEIGHTS[labels[c]], held[c]) for c in held),
        "linear_decay": decay(order),
        "linear_decay_top5": decay(order[:5]),
        "claim_unsupported": flag(list(held.values())),
        "vital_unsupported": flag(of_label["vital"]),
        "nugget_missing": flag(there),
        "vital_missing": flag(there_vital),
        "nugget_recall": strictly(there),
        "vital_nugget_recall": strictly(there_vital),
        "weighted_recall": share(
            (1.0 if is_vital else 0.5, value) for value, is_vital in zip(there, vital, strict=True)
        ),
    }


def mean(values: Iterable[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else None


def expected_lines() -> dict[str, list[float | None]]:
    """Title of a measure -> the mean of the originals, of how many, the means under each altered
    condition, then for each the share found, of how many, and the share that is equal."""
    by_condition: dict[str, dict[str, Scores]] = {name: {} for name in CONDITIONS}
    for record in records("items.jsonl"):
        by_condition[record["items"][0]["condition"]][record["source"]["key"]] = scores_of(record)
    lines = {}
    for measure, title in TITLES.items():
        of = {name: {k: s[measure] for k, s in by_condition[name].items()} for name in CONDITIONS}
        line: list[float | None] = [mean(of["normal"].values())]
        line.append(len([value for value in of["normal"].values() if value is not None]))
        line += [mean(of[name].values()) for name in ("missing", "wrong")]
        for condition in ("missing", "wrong"):
            line += found(measure, of["normal"], of[condition])
        lines[title] = line
    return lines


def found(
    measure: str, before: Mapping[str, float | None], after: Mapping[str, float | None]
) -> list[float | None]:
    if measure in FLAGS:
        raised = [value for value in after.values() if value is not None]
        return [mean(raised), len(raised), None]
    changes = [
        round(value - original, 12)
        for key, value in after.items()
        if value is not None and (original := before[key]) is not None
    ]
    below = mean(float(change < 0) for change in changes)
    return [below, len(changes), mean(float(change == 0) for change in changes)]


# --- The table ------------------------------------------------------------------------------------


def printed(grid: Grid) -> dict[str, list[float | None]]:
    """The numbers of a table, with the sizes where they are shown."""
    lines = {}
    for line in grid.lines:
        numbers: list[float | None] = []
        for cell in line.cells:
            numbers.append(None if cell is None or cell.exact is None else cell.exact.value)
            if cell is not None and cell.n:
                numbers.append(float(cell.n.removeprefix("n = ")))
        lines[line.title] = numbers
    return lines


def recorded_study(_folder: Path, _endpoint: Opening) -> None:
    call_command("apply_study", str(FOLDER / "study.yaml"), verbosity=0)


def asked_study(folder: Path, opened: Opening) -> None:
    """The same study, whose judge asks a local endpoint that replies as recorded."""
    fields = yaml.safe_load((FOLDER / "study.yaml").read_text(encoding="utf-8"))
    fields["judges"] = [
        {"name": "recorded", "method": "vital", "backend": "chat", "model": MODEL}
        | {"family": "tests", "parameters": {"verify": "together"}}
    ]
    fields["items"] = str(FOLDER / "items.jsonl")
    (folder / "study.yaml").write_text(yaml.safe_dump(fields), encoding="utf-8")
    opened(Behaviour(answer=reply_to))
    call_command("apply_study", str(folder / "study.yaml"), verbosity=0)


def reply_to(request: Mapping[str, Any]) -> str:
    """The recorded reply about the response that the request shows."""
    prompt = request["messages"][-1]["content"]
    schema = json.dumps(request["response_format"])
    step = next(
        name
        for name, word in (("rank", "ranking"), ("nuggets", "nuggets"), ("verify", "claims"))
        if f'"{word}"' in schema
    )

    def shown(record: Mapping[str, Any]) -> Sequence[str]:
        if step == "nuggets":
            return [sentence["text"] for sentence in record["items"][0]["sentences"]]
        claims: Sequence[str] = record["unit"]["focus"]["claims"]
        return claims

    fitting = [r for r in records("items.jsonl") if all(text in prompt for text in shown(r))]
    unit = max(fitting, key=lambda record: len("".join(shown(record))))["unit"]["key"]
    return json.dumps(replies()[unit, step])


@pytest.mark.parametrize("load", [recorded_study, asked_study])
def test_every_figure_of_the_example_follows_from_the_replies(
    db: None,
    tmp_path: Path,
    endpoint: Opening,
    load: Callable[[Path, Opening], None],
) -> None:
    load(tmp_path, endpoint)
    call_command("judge", "detection", "recorded", "--wait", stdout=StringIO())
    out = StringIO()
    call_command("report", "detection", "--table", "detection", "--resamples", "0", stdout=out)

    (grid,) = detection_tables(report_of(Study.objects.get(slug="detection"), Options(resamples=0)))

    assert list(grid.heads[:3]) == ["originals (false alarms)", "missing", "wrong"]
    figures, expected = printed(grid), expected_lines()
    assert list(figures) == list(expected)
    for title, numbers in expected.items():
        assert figures[title] == pytest.approx(numbers, abs=1e-12), title
    lines = out.getvalue().splitlines()
    assert lines[0] == "importance, recorded"
    assert [line.split("  ")[0] for line in lines[2:16]] == list(expected)
    wrong = expected["Claim precision"][7]
    assert f"{wrong:.3f} n = 5" in lines[2]


def test_all_claims_alike_flag_more_and_miss_what_is_missing(
    db: None, endpoint: Opening, tmp_path: Path, client: Client, owner: User
) -> None:
    """By hand: of the five originals two have an unsupported claim, none of them vital; of the
    five wrong ones four have one, three a vital one."""
    recorded_study(tmp_path, endpoint)
    call_command("judge", "detection", "recorded", "--wait", stdout=StringIO())
    (grid,) = detection_tables(report_of(Study.objects.get(slug="detection"), Options(resamples=0)))
    figures = printed(grid)
    assert figures["Claim unsupported"][:4] == [2 / 5, 5, 2 / 5, 4 / 5]
    assert figures["Vital claim unsupported"][:4] == [0, 5, 0, 3 / 5]
    join(Study.objects.get(slug="detection"), owner, Member.Role.OWNER)
    client.force_login(owner)
    page = client.get(reverse("results:systems", args=["detection"])).content.decode()
    table = page.partition("Altered texts found: importance, recorded")[2]
    assert "originals (false alarms)" in table


def test_the_table_as_json_is_the_rows_that_it_is_made_of(
    db: None, endpoint: Opening, tmp_path: Path
) -> None:
    recorded_study(tmp_path, endpoint)
    call_command("judge", "detection", "recorded", "--wait", stdout=StringIO())
    out = StringIO()
    options = ("--table", "detection", "--json", "--resamples", "0")
    call_command("report", "detection", *options, stdout=out)
    rows = [row for row in json.loads(out.getvalue())["estimates"] if row["raters"] == "recorded"]
    assert {row["metric"] for row in rows} >= {*TITLES, *(f"detection_{name}" for name in TITLES)}
    assert {tuple(row["group"]) for row in rows} == {(), ("condition",)}


def test_a_study_without_altered_items_has_no_such_table(db: None) -> None:
    call_command("apply_study", str(FOLDER.parent / "importance" / "study.yaml"), verbosity=0)
    with pytest.raises(CommandError, match="example-importance: the report has no such rows"):
        call_command("report", "example-importance", "--table", "detection")
