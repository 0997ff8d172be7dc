"""Judges in a study file: one that could not run in the study is refused with it."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import CommandError, call_command
from pytest_django import Settings

from annotation.models import Study
from judges.definitions.versions import BadJudge, judge_for
from judges.models import Judge
from judges.runs.plans.plan import plan_run
from judges.runs.plans.scope import RunRefused
from tests.imports.small_files import import_lines, record
from tests.imports.tables import import_files, write_table
from tests.judges.endpoints import MODEL

pytestmark = pytest.mark.django_db

CHAT = {"backend": "chat", "model": MODEL}


def apply(folder: Path, *judges: Any, slug: str = "s", **keys: Any) -> Study:
    file = folder / "judges.yaml"
    described = {"slug": slug, "judges": list(judges), **keys}
    file.write_text(yaml.safe_dump(described), encoding="utf-8")
    call_command("apply_study", str(file), verbosity=0)
    return Study.objects.get(slug=slug)


def refusal(folder: Path, *judges: Any) -> str:
    with pytest.raises(CommandError) as caught:
        apply(folder, *judges)
    return str(caught.value).removeprefix(f"{folder / 'judges.yaml'}: ")


def judge(name: str, method: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "method": method, **fields}


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (judge("j", "vital", **CHAT), "judge: vital answers Importance of claims; study s asks"),
        (judge("j", "mind_reader"), "method: no judge method 'mind_reader'"),
        (judge("j", "lexical", backend="chat"), "backend: lexical cannot ask 'chat'"),
        (
            judge("j", "zero_shot", **CHAT, parameters={"temprature": 1}),
            "parameters.temprature: Extra inputs are not permitted",
        ),
        (
            judge("j", "zero_shot", **CHAT, parameters={"endpoint": "nowhere"}),
            "parameters.endpoint: there is no 'nowhere' here",
        ),
        (
            judge("j", "scripted", parameters={"file": "/no/such/file"}),
            "parameters.file: there is no file /no/such/file",
        ),
        (
            judge("j", "jury", parameters={"judges": ["lexical", "nobody"]}),
            "judge: jury has members that do not exist: nobody",
        ),
        (
            judge("j", "jury", parameters={"judges": ["j"]}),
            "parameters: a jury cannot be its own member (j → j)",
        ),
    ],
)
def test_a_judge_that_cannot_be_used_is_refused_with_the_words_of_a_run(
    entry: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    study = import_lines(tmp_path, [record()])
    line = refusal(tmp_path, entry)
    assert line.startswith(f"judges.j: {reason}")
    study.refresh_from_db()
    assert (study.judges, Judge.objects.count()) == ([], 0)
    study.judges = [entry]
    with pytest.raises((BadJudge, RunRefused)) as caught:
        plan_run(study=study, judge=judge_for(study, "j"))
    assert str(caught.value).removeprefix("j@1: ") == line.removeprefix("judges.j: ")


def test_a_name_that_means_no_judge_is_refused(tmp_path: Path) -> None:
    import_lines(tmp_path, [record()])
    assert refusal(tmp_path, "nobody").startswith("judges.nobody: no judge 'nobody' (known: ")


def test_a_judge_with_the_name_of_an_imported_rater_is_refused(tmp_path: Path) -> None:
    import_files("ratings", write_table(tmp_path / "t.csv", "worker,item,rating", "j,i,1", "k,i,2"))
    line = refusal(tmp_path, judge("j", "zero_shot", **CHAT))
    assert line.startswith("judges.j: name: the study has an imported or human rater 'j' already")


def test_judges_that_can_be_used_are_added_and_none_is_defined_yet(tmp_path: Path) -> None:
    import_lines(tmp_path, [record()])
    bench = judge("bench", "jury", parameters={"judges": ["asked", "lexical"]})
    study = apply(tmp_path, bench, judge("asked", "zero_shot", **CHAT), "lexical")
    assert [entry if isinstance(entry, str) else entry["name"] for entry in study.judges] == [
        "bench",
        "asked",
        "lexical",
    ]
    assert Judge.objects.count() == 0


def test_a_model_on_the_hub_is_not_looked_for(tmp_path: Path) -> None:
    import_lines(tmp_path, [record()])
    study = apply(tmp_path, judge("far", "nli", model="nobody/has-this-model"))
    assert len(study.judges) == 1


def test_a_judge_that_has_become_useless_keeps_no_other_change_out(tmp_path: Path) -> None:
    import_lines(tmp_path, [record()])
    asked = judge("asked", "zero_shot", **CHAT, parameters={"endpoint": "gone"})
    Study.objects.update(judges=[asked])
    assert apply(tmp_path, asked, "lexical", instructions="Read.").instructions == "Read."


@pytest.mark.parametrize("name", ["actionability", "importance", "judges"])
def test_a_shipped_example_runs_with_an_endpoint_of_any_name(
    tmp_path: Path, settings: Settings, name: str
) -> None:
    file = tmp_path / "endpoints.yaml"
    file.write_text("mine: {base_url: 'http://127.0.0.1:9/v1'}", encoding="utf-8")
    settings.JUDGE_ENDPOINTS = str(file)
    call_command("apply_study", f"examples/{name}/study.yaml", verbosity=0)
    study = Study.objects.get()
    chats = [entry for entry in study.judges if isinstance(entry, dict) and "model" in entry]
    assert [judge_for(study, entry["name"]).name for entry in chats]
