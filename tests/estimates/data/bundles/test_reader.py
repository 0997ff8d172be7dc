"""A bundle holds all that a report rests on: the same rows come out of it, byte for byte."""

import json
import zipfile
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Annotation, Item, Study, Unit, UnitItem, log_change
from annotation.rounds.collection import Standing
from annotation.rounds.planned import OPENED
from estimates.data.bundles.reader import from_bundle
from estimates.data.options import Options
from estimates.report.cache import report_of_bundle
from estimates.report.live import as_shown
from exports import bundle
from tests.cast import make_study
from tests.results.answers import make_rater, questions, rate
from tests.results.examples import make_answered
from tests.results.imported import import_raters, points
from workbench.cards.writing import FORMS


@pytest.fixture
def answered(db: None) -> Study:
    return make_answered()


@pytest.fixture
def slight(db: None) -> Study:
    """One answer, which is soon exported."""
    study = make_study(sources=1, blocks=(("slider", {}),))
    rate(make_rater(study, "gpt", "judge"), questions(study)[0], 50)
    return study


def exported(study: Study, folder: Path) -> Path:
    call_command("export", study.slug, format="bundle", out=folder, stdout=StringIO())
    return folder / f"{study.slug}-bundle.zip"


def reported(name: str | Path, *options: str) -> str:
    out = StringIO()
    call_command("report", str(name), *options, stdout=out)
    return out.getvalue()


def test_a_bundle_of_a_study_that_was_closed_early_shows_its_live_intervals(
    answered: Study, tmp_path: Path
) -> None:
    log_change(study=answered, by=None, action=OPENED, detail={"planned": 1000})
    Study.objects.filter(pk=answered.pk).update(state=Study.State.CLOSED)
    shown = as_shown(report_of_bundle(exported(answered, tmp_path), Options()))
    assert shown.standing is Standing.STOPPED


def test_a_bundle_reports_what_the_study_reports(answered: Study, tmp_path: Path) -> None:
    path, before = exported(answered, tmp_path), Annotation.objects.count()
    options = ("--json", "--resamples", "20", "--consensus", "majority", "--seed", "3")
    wanted = reported("small", *options)
    Study.objects.filter(pk=answered.pk).update(slug="renamed")

    assert reported(path, *options) == wanted
    assert [study.slug for study in Study.objects.all()] == ["renamed"]
    assert Annotation.objects.count() == before


def test_imported_points_are_restored_too(db: None, tmp_path: Path) -> None:
    study = import_raters(
        tmp_path,
        points(ada="1233124", bob="12.1244", cyd="2233115"),
        points(gpt="1231224"),
        level="ordinal",
    )
    path = exported(study, tmp_path)
    few = ("--resamples", "20")

    assert reported(path, *few) == reported("raters", *few)


def test_published_figures_are_restored_without_answers(db: None, tmp_path: Path) -> None:
    table = tmp_path / "paper.csv"
    table.write_text("study,system,rater,metric,value\npaper,just,all,mean_rank,1.48\n")
    call_command("import_study", "summary", str(table), slug="paper", verbosity=0)
    path = exported(Study.objects.get(slug="paper"), tmp_path)

    assert reported(path, "--json") == reported("paper", "--json")


def test_the_files_say_what_does_not_count_and_end_with_their_sums(
    slight: Study, tmp_path: Path
) -> None:
    (question,) = questions(slight)
    rate(make_rater(slight, "worker-1"), question, 40)
    late, careless = make_rater(slight, "worker-2"), make_rater(slight, "worker-3")
    rate(late, question, 50)
    rate(careless, question, 60)
    Annotation.objects.filter(rater=late).update(surplus=True)
    Annotation.objects.filter(rater=careless).update(excluded_reason="failed controls")

    with zipfile.ZipFile(exported(slight, tmp_path)) as archive:
        texts = {name.rpartition("/")[2]: archive.read(name) for name in archive.namelist()}

    cards = [f"small.slider.gpt@1.{form}" for form in FORMS]
    assert [*texts] == ["README.txt", *bundle.FILES, *cards, "MANIFEST.json"]
    answers = [json.loads(line) for line in texts["answers.jsonl"].splitlines()]
    assert {one["rater"]: (one["surplus"], one["excluded"]) for one in answers} == {
        "gpt": (False, ""),
        "worker-1": (False, ""),
        "worker-2": (True, ""),
        "worker-3": (False, "failed controls"),
    }
    study: dict[str, Any] = json.loads(texts["study.json"])
    assert study["report"]["options"]["epsilon"] == 0.1
    assert (study["slug"], study["seed"]) == ("small", slight.seed)
    ratings = texts["ratings.jsonl"]
    assert json.loads(texts["MANIFEST.json"])["ratings.jsonl"] == sha256(ratings).hexdigest()


def test_a_study_of_a_thousand_units_fits_into_a_bundle(slight: Study, tmp_path: Path) -> None:
    (unit,) = Unit.objects.filter(study=slight)
    numbers, about = range(1_100), {"study": slight, "source": unit.source}
    items = Item.objects.bulk_create(Item(key=f"item {n}", **about) for n in numbers)
    units = Unit.objects.bulk_create(Unit(key=f"unit {n}", **about) for n in numbers)
    UnitItem.objects.bulk_create(
        UnitItem(unit=unit, item=item, position=0) for unit, item in zip(units, items, strict=True)
    )

    _, data = from_bundle(exported(slight, tmp_path))

    assert len(data.material.unit_ids) == 1_101
    assert data.material.unit_items[1_100] == (("item 1099", 1_100),)


def rewritten(path: Path, name: str, change: bytes | None) -> Path:
    """The bundle with one file changed, or left out."""
    changed = path.with_name("changed.zip")
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(changed, "w") as other:
        for member in archive.namelist():
            if not member.endswith(name):
                other.writestr(member, archive.read(member))
            elif change is not None:
                other.writestr(member, change)
    return changed


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("ratings.jsonl", b"{}\n", "ratings.jsonl: not as it was exported"),
        ("units.jsonl", None, "units.jsonl: missing"),
        ("MANIFEST.json", b"[]", "MANIFEST.json: not an object"),
        ("MANIFEST.json", b"{", "MANIFEST.json: Expecting"),
    ],
)
def test_a_bundle_that_was_changed_is_refused(
    slight: Study, tmp_path: Path, name: str, change: bytes | None, reason: str
) -> None:
    path = rewritten(exported(slight, tmp_path), name, change)

    with pytest.raises(CommandError, match=reason):
        reported(path)


def forged(path: Path, name: str, **changes: Any) -> Path:
    """The bundle with its first record of a file changed, and the sums to match."""
    with zipfile.ZipFile(path) as archive:
        (member,) = [one for one in archive.namelist() if one.endswith(name)]
        (sums,) = [one for one in archive.namelist() if one.endswith("MANIFEST.json")]
        text, known = archive.read(member).decode(), json.loads(archive.read(sums))
    first, _, rest = text.partition("\n") if name.endswith(".jsonl") else (text, "", "")
    content = (json.dumps(json.loads(first) | changes) + "\n" + rest).encode()
    changed = rewritten(path, name, content).rename(path.with_name("forged.zip"))
    known[name] = sha256(content).hexdigest()
    return rewritten(changed, "MANIFEST.json", json.dumps(known).encode())


@pytest.mark.parametrize(
    ("name", "changes", "reason"),
    [
        ("study.json", {"blocks": [{"key": "a", "task_type": "riddle"}]}, "no task type 'riddle'"),
        ("study.json", {"overlap": "many"}, "study.json: .*'many'"),
        ("study.json", {"rounds": 4}, "study.json: TypeError"),
        ("sources.jsonl", {"key": None}, "sources.jsonl:"),
        ("items.jsonl", {"source": "nowhere"}, "items.jsonl:1: it lacks or misnames nowhere"),
        ("units.jsonl", {"role": "extra"}, "units.jsonl:.*'extra' is not a valid Unit.Role"),
        ("units.jsonl", {"questions": {"recovery": {"payload": 1}}}, "units.jsonl:"),
        ("raters.jsonl", {"kind": "robot"}, "raters.jsonl:1: .*'robot' is not a valid RaterKind"),
        ("answers.jsonl", {"content": 5}, "answers.jsonl:1: "),
        ("ratings.jsonl", {"answer": 99_999}, "ratings.jsonl:1: IndexError"),
        ("ratings.jsonl", {"answer": -1}, "ratings.jsonl:1: .*no number of an answer"),
        ("ratings.jsonl", {"value": None}, "ratings.jsonl:1: "),
    ],
)
def test_a_bundle_with_wrong_records_is_refused_in_one_line(
    slight: Study, tmp_path: Path, name: str, changes: dict[str, Any], reason: str
) -> None:
    path = forged(exported(slight, tmp_path), name, **changes)

    with pytest.raises(CommandError, match=reason) as refused:
        reported(path)
    assert "\n" not in str(refused.value)


def test_what_is_no_bundle_is_refused(db: None, tmp_path: Path) -> None:
    (tmp_path / "text.zip").write_text("text")

    with pytest.raises(CommandError, match=r"none\.zip: no such file"):
        reported(tmp_path / "none.zip")
    with pytest.raises(CommandError, match="not a zip archive"):
        reported(tmp_path / "text.zip")
    with pytest.raises(CommandError, match="not a bundle"):
        reported(tmp_path / "text.zip", "--against", "small")


def test_a_study_that_keeps_changing_is_not_exported_half(
    slight: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def changing(study: Study) -> Any:
        study.touch()
        yield "{}\n"

    monkeypatch.setitem(bundle.FILES, "raters.jsonl", changing)

    with pytest.raises(CommandError, match="its answers kept changing"):
        exported(slight, tmp_path)
    assert not list(tmp_path.iterdir())
