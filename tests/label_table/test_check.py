"""Figures equal those of the same labels imported as a study."""

import csv
import gzip
import json
import re
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from estimates.data.options import Options
from label_table.check import Check
from label_table.forms import as_text
from tests.label_table.tables import checked, value, write_table

FIGURES = ("value", "low", "high", "n_units", "n_raters", "n_ratings")


def keyed(rows: list[dict[str, Any]]) -> dict[tuple[str, ...], list[Any]]:
    names = ("metric", "facet", "raters", "group", "aggregation", "consensus")
    return {
        tuple(json.dumps(row[name], sort_keys=True) for name in names): [
            row[name] for name in FIGURES
        ]
        for row in rows
    }


def report_of_import(format_name: str, path: Path, **options: Any) -> list[dict[str, Any]]:
    call_command("import_study", format_name, str(path), slug="s", verbosity=0, **options)
    out = StringIO()
    call_command("report", "s", "--json", stdout=out)
    rows: list[dict[str, Any]] = json.loads(out.getvalue())["estimates"]
    return rows


def estimates(check: Check) -> list[dict[str, Any]]:
    return [row.as_json() for row in check.rows]


def test_the_votes_of_qags_give_their_alpha_and_all_that_a_report_says_of_people(
    db: None, shared_data: Path, tmp_path: Path
) -> None:
    votes = shared_data / "qags-cnndm" / "mturk_cnndm.jsonl.gz"
    path = tmp_path / "qags.csv"
    with gzip.open(votes, "rt", encoding="utf-8") as lines, path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["summary", "sentence", "annotator", "consistency"])
        for number, line in enumerate(lines):
            for at, sentence in enumerate(json.loads(line)["summary_sentences"]):
                for vote in sentence["responses"]:
                    writer.writerow([number, f"{number}-{at}", vote["worker_id"], vote["response"]])
    stated = {"unit": "sentence", "source": "summary", "label": "consistency"}
    check = checked(path, options=Options(), **stated)
    (alpha,) = check.rows_of("humans", "krippendorff_alpha_nominal")
    assert alpha.estimate.value == pytest.approx(0.5135, abs=5e-5)
    assert check.verdicts[0].badge == "Weakly"

    imported = keyed(report_of_import("qags", votes))
    own = keyed(estimates(check))
    of_people = ("krippendorff_alpha_nominal", "raw_agreement", "gwet_ac1", "fleiss_kappa")
    compared = [key for key in own if key[0].strip('"') in of_people and key[2] == '"humans"']
    assert len(compared) == len(of_people)
    for key in compared:
        assert own[key] == pytest.approx(imported[key], abs=1e-9)


def test_every_row_equals_that_of_the_imported_table(db: None, tmp_path: Path) -> None:
    random = Random(5)
    lines = []
    for item in range(12):
        for system in ("a", "b"):
            true = random.randint(1, 5)
            for rater, kind in (("ada", "human"), ("bo", "human"), ("cy", "human"), ("m", "judge")):
                rating = min(5, max(1, true + random.choice((-1, 0, 0, 1))))
                lines.append(f"i{item} {system} {rater} {kind} {rating}")
    path = write_table(tmp_path, "item system rater kind rating", *lines)
    check = checked(path, options=Options())
    imported, own = keyed(report_of_import("ratings", path)), keyed(estimates(check))
    assert own.keys() == imported.keys()
    for key, figures in own.items():
        assert figures == pytest.approx(imported[key], abs=1e-9), key


def test_verdicts_are_those_of_the_first_screen_the_best_judge_first(tmp_path: Path) -> None:
    random, lines = Random(3), []
    for number in range(150):
        true = random.choice("yn")
        other = "n" if true == "y" else "y"
        people = [true if random.random() < 0.98 else other for _ in range(3)]
        good = true if random.random() < 0.98 else other
        lines.append(f"u{number} {' '.join(people)} {good} {random.choice('yn')}")
    head = "id human_1 human_2 human_3 gpt llama"
    check = checked(write_table(tmp_path, head, *lines), options=Options())
    of_people, best, worst = check.verdicts
    assert (of_people.about, of_people.tone) == ("people", "good")
    assert (best.name, best.tone, best.badge) == ("gpt", "good", "As near")
    assert (worst.name, worst.tone, worst.badge) == ("llama", "bad", "Too far")
    assert "\u2068" not in best.sentence
    assert best.caveats


def test_a_judge_beside_one_person_has_a_verdict_that_rests_on_that_person(
    tmp_path: Path,
) -> None:
    people = "pass " * 20 + "fail " * 20
    judge = "pass " * 18 + "fail " * 2 + "pass " * 12 + "fail " * 8
    rows = zip(range(40), people.split(), judge.split(), strict=True)
    lines = [f"u{at} {person} {machine}" for at, person, machine in rows]
    path = write_table(tmp_path, "id label verdict", *lines)
    check = checked(path, options=Options(), humans=("label",), judges=("verdict",))
    verdict = check.verdicts[1]
    assert verdict.badge == "No, by one person’s labels"
    # By hand: 12 of 20 fails pass, 2 of 20 passes fail.
    assert verdict.sentence.startswith(
        "verdict finds less than 80 % of one of your labels: it passes 60 % of what you fail "
        "(finds 0.40,"
    )
    assert "n = 20) and misses 10 % of what you call pass" in verdict.sentence
    assert "no ceiling" in verdict.caveats[0]


def test_the_python_of_the_page_gives_the_figures_of_a_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Path(settings.BASE_DIR, "docs", "check.md").read_text(encoding="utf-8")
    of_columns, of_file = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(of_columns, {})
    agreed, rate = capsys.readouterr().out.splitlines()
    lines = ("q1 pass pass", "q2 fail pass", "q3 fail fail")
    check = checked(write_table(tmp_path, "id ada bo", *lines), humans=("ada", "bo"))
    assert float(agreed.split()[0]) == value(check, "humans", "krippendorff_alpha_nominal")
    assert float(rate) == 1 / 2

    (tmp_path / "labels.csv").write_text(page.partition("'END'\n")[2].partition("END\n")[0])
    monkeypatch.chdir(tmp_path)
    exec(of_file, {})
    of_people, of_judge = capsys.readouterr().out.splitlines()
    assert of_people.startswith("Too few units ")
    assert of_judge.startswith("Open ")


def test_figures_by_groups_of_an_own_column_are_those_of_its_parts_alone(tmp_path: Path) -> None:
    random = Random(5)
    lines = {
        genre: [f"{genre}{n} {genre} {r} {random.choice('yn')}" for n in range(12) for r in "abc"]
        for genre in ("news", "sport")
    }
    head = "document genre rater label"
    both = write_table(tmp_path, head, *lines["news"], *lines["sport"])
    check = checked(both, groups=("genre",))
    alpha = "krippendorff_alpha_nominal"
    for genre, own in lines.items():
        alone = checked(write_table(tmp_path, head, *own, name=f"{genre}.csv"))
        of_group = value(check, "humans", alpha, **{"source.genre": genre})
        assert of_group == pytest.approx(value(alone, "humans", alpha))
    text = as_text([(check, ())])
    assert "Agreement of people by genre" in text
    assert "α, nominal (sport)" in text
    assert "not used" not in text
