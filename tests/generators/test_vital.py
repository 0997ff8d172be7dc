"""VITAL by commands: from queries to the table of detection, with a model that goes by rules."""

import json
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotation.models import Item, Preparation, Study
from estimates.data.options import Options
from estimates.report.cache import report_of
from generators.rankings import CHECKED
from generators.text_statistics import text_statistics
from imports.preparation.lists import reject
from results.tables.detection import detection_tables
from results.tables.grids import Grid
from tests.imports.small_files import import_lines, write_lines
from tests.judges.endpoints import MODEL, Opening
from tests.services.endpoint import Behaviour

pytestmark = pytest.mark.django_db
# By query: its kind, what answers it and what that becomes, and what else the passages say.
KEY = {
    "bridge": ("single-answer", "The bridge was built in 1911.", "The bridge was built in 1812."),
    "mill": ("open-ended", "The mill flooded in May.", "The mill burnt in May."),
}
SIDE, MADE_UP = "Much was written about the {}.", "The {} is haunted."


def sources() -> list[dict[str, Any]]:
    made = [
        {
            "key": key,
            "query": f"What should one know of the {key}?",
            "passages": [{"index": 0, "text": f"{text} {SIDE.format(key)}"}],
            "metadata": {"query_kind": kind},
        }
        for key, (kind, text, _) in KEY.items()
    ]
    return [*made, {"key": "bare", "query": "What should one know of the rest?"}]


def sentences(text: str) -> list[str]:
    return [f"{part.strip().rstrip('.')}." for part in text.split(". ") if part.strip()]


def after(mark: str, prompt: str) -> str:
    """The text of a prompt that follows a mark, up to the end of its fence."""
    return prompt.partition(f"{mark}\n")[2].partition("\n</")[0]


def numbered(mark: str, prompt: str) -> list[str]:
    return [line.partition(": ")[2] for line in after(mark, prompt).splitlines()]


def model(asked: Mapping[str, Any]) -> str:
    """Writes, takes apart, ranks and verifies by what stands in the prompt."""
    prompt = asked["messages"][-1]["content"]
    key = next(key for key in KEY if f"the {key}" in prompt or f"The {key}" in prompt)
    _, right, wrong = KEY[key]
    if "Answer the query" in prompt:
        second = MADE_UP if asked["temperature"] else SIDE
        return f"{right} {second.format(key)}"
    if "Make a version" in prompt:
        assert f"Most important statement: {right}" in prompt
        missing = "lacks" in prompt
        text = after("Text:", prompt).replace(right, "" if missing else wrong).strip()
        return json.dumps({"statement": right, "text": text})
    if "Write down the facts" in prompt:
        listed = [(right, "vital"), (SIDE.format(key), "okay")]
        return json.dumps({"nuggets": [{"text": t, "importance": i} for t, i in listed]})
    return assessed(prompt, (right, wrong))


def assessed(prompt: str, vital: tuple[str, str]) -> str:
    """A claim or fact holds where the prompt has it twice: in a list, and in what it is held
    against."""
    if "Take it apart" in prompt:
        return json.dumps({"claims": sentences(after("Response:", prompt))})
    facts = "Facts by their numbers:" in prompt
    texts = numbered(f"{'Facts' if facts else 'Claims'} by their numbers:", prompt)
    if "Put the claims in order" in prompt:
        ranked = sorted(range(len(texts)), key=lambda number: texts[number] not in vital)
        labels = {True: "vital", False: "okay"}
        entries = [{"claim": n, "importance": labels[texts[n] in vital]} for n in ranked]
        return json.dumps({"ranking": entries})
    held = {True: "supported", False: "not" if facts else "unsupported"}
    found = [
        {"nugget" if facts else "claim": number, "support": held[prompt.count(text) == 2]}
        for number, text in enumerate(texts)
    ]
    return json.dumps({"nuggets" if facts else "claims": found})


def run(command: str, *arguments: str) -> str:
    out = StringIO()
    call_command(command, "s", *arguments, stdout=out)
    return out.getvalue()


def check_lists(folder: Path, *arguments: str) -> None:
    """Propose lists, look at the file of them, accept."""
    run("prepare", "propose", "--model", MODEL, *arguments)
    file = folder / "lists.jsonl"
    run("prepare", "export", str(file))
    run("prepare", "import", str(file), "--accept")


def figures(grid: Grid) -> dict[str, dict[str, tuple[float | None, str]]]:
    """By measure and column: the number, and of how many."""
    return {
        line.title: {
            head: (None, "") if cell is None or cell.exact is None else (cell.exact.value, cell.n)
            for head, cell in zip(grid.heads, line.cells, strict=True)
        }
        for line in grid.lines
    }


@pytest.fixture
def judged(endpoint: Opening, tmp_path: Path, settings: Any) -> Study:
    """Two systems answer the queries; their responses and both variants of each are judged. The
    nuggets of the mill are refused."""
    settings.DATA_DIR = tmp_path / "data"
    endpoint(Behaviour(answer=model))
    judge = {"name": "vital", "method": "vital", "backend": "chat", "model": MODEL,
             "family": "tests", "parameters": {"verify": "together"}}  # fmt: skip
    opening = {
        "title": "Queries",
        "blocks": [{"task_type": "importance", "options": {"claims": "prepared"}}],
        "group_by": ["source.query_kind"],
        "judges": [judge],
    }
    records = [{"study": opening}, *({"source": source, "items": []} for source in sources())]
    study = import_lines(tmp_path, records)
    study.state = Study.State.DRAFT
    study.save(update_fields=["state"])

    said = run("generate", "--system", "Alder", "--model", MODEL)
    assert "1 source with a query but without passages or a document left out" in said
    run("generate", "--system", "Birch", "--model", MODEL, "--temperature", "0.5")
    check_lists(tmp_path)
    run("prepare", "propose", "--model", MODEL, "--list", "nuggets")
    refused = Preparation.objects.get(source__key="mill", item=None)
    reject(preparation=refused, version=refused.version, by=None, now=timezone.now())
    file = tmp_path / "nuggets.jsonl"
    run("prepare", "export", str(file))
    kept = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    write_lines(file, [line for line in kept if "source" in line])
    run("prepare", "import", str(file), "--accept")
    assert (
        "importance: nuggets: 0 missing, 0 proposed, 1 accepted, 1 rejected; 1 sources have no"
        in (run("prepare"))
    )
    run("judge", "vital", "--wait")
    for system in ("Alder", "Birch"):
        for condition in ("missing", "wrong"):
            run("generate", "--system", system, "--model", MODEL, "--perturb", condition)
    check_lists(tmp_path)
    run("judge", "vital", "--wait")
    return study


def test_from_queries_to_detection_with_recalls_and_false_alarms(judged: Study) -> None:
    variants = Item.objects.filter(study=judged).exclude(perturbed_from=None)
    assert variants.count() == 8
    for item in variants.select_related("source"):
        right = KEY[item.source.key][1]
        assert item.metadata == {"statement": right, "statement_by": CHECKED}
    judged.refresh_from_db()
    assert judged.imported["generated"][-1]["statements"] == {CHECKED: 2}

    grids = list(detection_tables(report_of(judged, Options(resamples=0))))
    whole, by_kind = figures(grids[0]), [grid.title.partition(": ")[2] for grid in grids[1:]]
    assert sorted(by_kind) == ["open-ended", "single-answer"]
    originals = "originals (false alarms)"
    # Of four originals the two of Birch say what the passages do not, which is not vital.
    assert whole["Claim unsupported"][originals] == (0.5, "n = 4")
    assert whole["Claim unsupported"]["wrong: found"] == (1.0, "n = 4")
    assert whole["Claim unsupported"]["missing: found"] == (0.5, "n = 4")
    assert whole["Vital claim unsupported"][originals] == (0.0, "n = 4")
    assert whole["Vital claim unsupported"]["wrong: found"] == (1.0, "n = 4")
    # Recall finds what is missing, of the query whose nuggets were accepted.
    assert whole["Vital nugget missing"][originals] == (0.0, "n = 2")
    assert whole["Vital nugget missing"]["missing: found"] == (1.0, "n = 2")
    assert whole["Vital nugget recall"]["missing: found"] == (1.0, "n = 2")
    assert whole["Nugget recall"][originals] == (0.75, "n = 2")
    of_kind = {grid.title.partition(": ")[2]: figures(grid) for grid in grids[1:]}
    single, open_ended = of_kind["single-answer"], of_kind["open-ended"]
    assert single["Vital nugget missing"]["missing: found"] == (1.0, "n = 2")
    assert open_ended["Vital nugget missing"]["missing: found"][0] is None
    assert open_ended["Vital claim unsupported"]["wrong: found"] == (1.0, "n = 2")
    printed = run("report", "--table", "detection", "--resamples", "0")
    assert "originals (false alarms)" in printed

    rows = {str(row.of): row for row in text_statistics(judged)}
    assert [*rows] == ["Alder", "Birch", "Alder, missing", "Alder, wrong", "Birch, missing",
                       "Birch, wrong"]  # fmt: skip
    assert (rows["Alder"].texts, rows["Alder"].calls, rows["Alder"].citations) == (2, 2, 0)
    assert rows["Alder"].words == (6 + 6 + 5 + 6) / 2
    assert "Birch, wrong: 2 texts; on average" in run("generate", "--statistics")
