"""A run that looks links up: through the real door, by real chunks, with the pages kept."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation.models import Annotation, Member, Study, User
from judges.definitions.versions import define_judge
from judges.models import Call, Judge, JudgeRun, RetrievedPage
from judges.runs.delivery import work
from judges.runs.plans.plan import plan_run
from judges.runs.plans.scope import RunRefused
from judges.runs.progress import pages_by_outcome
from judges.runs.records import page_archive
from retrieval import article
from retrieval.connections import GuardedNetwork
from retrieval.download import Fetcher
from retrieval.retriever import Retriever
from tests.cast import join
from tests.imports.small_files import write_lines
from tests.imports.tables import import_files
from tests.judges.scripted_judges import work_all
from tests.retrieval.web import ARTICLE, Answer, Names, Web, fetcher, small_web

pytestmark = pytest.mark.django_db
ERROR = {"sentence": "It sank.", "reason": "It sails daily.", "correction": "It has not sunk."}
EXPLAINED = '{"errors": [{"error": 0, "points_out": true, "corrects": true}]}'
LINKED = '{"links": [{"link": 0, "exists": true, "relevant": true, "supports": true}]}'


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    with small_web() as started:
        started.answers["/ferry"] = Answer(ARTICLE.encode())
        monkeypatch.setattr(work, "retriever", lambda: Retriever(fetcher(started)))
        yield started


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network in which no name outside is found."""
    network = GuardedNetwork(resolver=Names({}), probe_names=["probe.example"])
    without = Retriever(Fetcher(network))
    for module in (work, page_archive):
        monkeypatch.setattr(module, "retriever", lambda: without)


def study_of(links: list[str], folder: Path) -> Study:
    """An explanation for each link."""
    records: list[dict[str, Any]] = [{"study": {"title": "A", "task_type": "actionability"}}]
    for number, link in enumerate(links):
        key = f"ferry-{number}/larch"
        source = {"key": f"ferry-{number}", "claim": "The ferry sank.", "verdict": "false"}
        item = {"key": key, "system": "Larch", "text": f"It sails. See {link} for more."}
        unit = {"key": key, "subsets": ["full"], "focus": {"errors": [ERROR]}}
        records.append({"source": source, "items": [item], "unit": unit})
    return import_files("jsonl", write_lines(folder / "study.jsonl", records))


def judge_of(study: Study, folder: Path, name: str = "fingract", **parameters: Any) -> Judge:
    keys = study.units.values_list("key", flat=True)
    lines = [
        {"unit": key, "step": step, "reply": reply}
        for key in keys
        for step, reply in (("explanation", EXPLAINED), ("links", LINKED))
    ]
    file = write_lines(folder / f"{name}.jsonl", lines)
    return define_judge(
        study=study,
        name=name,
        method="fingract",
        backend="scripted",
        parameters={"replies": str(file), "summary": "beginning", **parameters},
    )


def run_over(study: Study, folder: Path, name: str = "fingract", **parameters: Any) -> JudgeRun:
    judge = judge_of(study, folder, name, **parameters)
    return work_all(plan_run(study=study, judge=judge, subset="full"))


def answered(run: JudgeRun) -> dict[str, Any]:
    given = Annotation.objects.filter(rater=run.rater)
    return dict(given.values_list("question__unit__key", "answer"))


def test_pages_are_retrieved_kept_and_told_and_the_answers_stored(web: Web, tmp_path: Path) -> None:
    study = study_of([web.url("/ferry"), web.url("/gone"), web.url("/ferry#crew")], tmp_path)
    run = run_over(study, tmp_path)
    assert (run.state, run.reason) == ("complete", "")
    exists = {key: answer["links"][0]["exists"] for key, answer in answered(run).items()}
    assert exists == {"ferry-0/larch": True, "ferry-1/larch": False, "ferry-2/larch": True}
    assert set(RetrievedPage.objects.values_list("outcome", flat=True)) == {"found", "not found"}
    told = run.calls.get(step="links", question__unit__key="ferry-0/larch")
    assert "The white ferry still sails" in told.request["messages"][0]["content"]
    seen = run.calls.get(step="pages", question__unit__key="ferry-0/larch").detail["pages"][0]
    kept = RetrievedPage.objects.filter(outcome="found").first()
    assert kept is not None
    assert seen["sha256"] == kept.sha256


def test_outcomes_are_counted_and_stand_on_the_page_of_the_run(
    web: Web, tmp_path: Path, owner: User
) -> None:
    web.answers["/image"] = Answer(b"GIF89a", content_type="image/gif")
    inner = "http://169.254.169.254/latest/meta-data"
    study = study_of([web.url("/ferry"), web.url("/gone"), web.url("/image"), inner], tmp_path)
    join(study, owner, Member.Role.OWNER)
    run = run_over(study, tmp_path)
    counts = [("found", 1), ("no content", 1), ("not found", 1), ("refused address", 1)]
    assert pages_by_outcome(run) == counts
    client = Client()
    client.force_login(owner)
    page = client.get(reverse("judges:run", args=[study.slug, run.pk])).content.decode()
    assert "1 found, 1 no content, 1 not found, 1 refused address" in page


def test_another_judge_sees_the_same_pages_without_asking_for_them(
    web: Web, tmp_path: Path
) -> None:
    study = study_of([web.url("/ferry")], tmp_path)
    run_over(study, tmp_path)
    web.answers["/ferry"] = Answer(b"<p>Something else altogether.</p>")
    second = run_over(study, tmp_path, "again", page_tokens=300)
    assert len(web.asked) == 1
    told = second.calls.get(step="links").request["messages"][0]["content"]
    assert "The white ferry still sails" in told
    third = run_over(study, tmp_path, "anew", page_max_age_days=0)
    assert len(web.asked) == 2
    told = third.calls.get(step="links").request["messages"][0]["content"]
    assert "Something else altogether" in told


def test_a_page_that_is_not_there_leaves_a_planned_call_that_was_not_needed(
    web: Web, tmp_path: Path
) -> None:
    run = run_over(study_of([web.url("/gone")], tmp_path), tmp_path)
    statuses = sorted(run.calls.values_list("step", "status"))
    assert statuses == [
        ("", Call.Status.SKIPPED),
        ("explanation", Call.Status.ANSWERED),
        ("pages", Call.Status.ANSWERED),
    ]
    assert run.state == "complete"


def test_a_study_without_links_has_nothing_to_count(web: Web, tmp_path: Path) -> None:
    run = run_over(study_of(["a friend"], tmp_path), tmp_path)
    assert run.state == "complete"
    assert pages_by_outcome(run) == []


def test_a_run_sees_one_page_at_each_link_even_where_none_is_young_enough(
    web: Web, tmp_path: Path
) -> None:
    study = study_of([web.url("/ferry")] * 4, tmp_path)
    run = run_over(study, tmp_path, page_max_age_days=0)
    assert run.state == "complete"
    assert len(web.asked) == 1
    run_over(study, tmp_path, "again", page_max_age_days=0)
    assert len(web.asked) == 2


def test_without_the_packages_that_read_pages_such_a_judge_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = study_of(["https://ferry.example/today"], tmp_path)
    judge = judge_of(study, tmp_path)
    monkeypatch.setattr(article, "find_spec", lambda name: None if name == "pypdf" else object())
    with pytest.raises(RunRefused, match=r"reading pages needs pypdf: install jurybox\[pages\]"):
        plan_run(study=study, judge=judge, subset="full")


@pytest.mark.usefixtures("no_network")
def test_without_a_network_a_link_is_open_and_not_missing(tmp_path: Path) -> None:
    run = run_over(study_of(["https://ferry.example/today"], tmp_path), tmp_path)
    assert (run.state, pages_by_outcome(run)) == ("complete", [("not retrieved", 1)])
    told = run.calls.get(step="links").request["messages"][0]["content"]
    assert "it could not be retrieved (no name of the internet can be looked up from here)" in told
    # The reply, not the network, says here that the page exists.
    assert answered(run)["ferry-0/larch"]["links"][0]["exists"] is True


@pytest.mark.usefixtures("no_network")
def test_the_command_says_first_that_nothing_outside_can_be_reached(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = study_of(["https://ferry.example/today"], tmp_path)
    judge_of(study, tmp_path)
    judge_of(study, tmp_path, "closed", pages="none")
    call_command("judge", study.slug, "fingract", "closed", "--dry-run")
    warnings = capsys.readouterr().err.splitlines()
    assert len(warnings) == 1
    assert warnings[0].startswith(
        "fingract@1: This judge retrieves the pages of links, but nothing"
    )
    call_command("judge", study.slug, "fingract", "--setting", "full", "--wait")
    assert "Links: 1 not retrieved." in capsys.readouterr().out


@pytest.mark.usefixtures("no_network")
def test_the_page_of_a_plan_says_that_nothing_outside_can_be_reached(
    tmp_path: Path, owner: User
) -> None:
    study = study_of(["https://ferry.example/today"], tmp_path)
    join(study, owner, Member.Role.OWNER)
    study.judges = ["fingract", "closed"]
    study.save()
    client = Client()
    client.force_login(owner)
    says = {}
    for name, pages in (("fingract", "retrieved"), ("closed", "none")):
        judge_of(study, tmp_path, name, pages=pages)
        form = {"judge": name, "subset": "full", "block": "", "replicates": 1}
        page = client.post(reverse("judges:start", args=[study.slug]), form).content.decode()
        assert "Start the run" in page
        says[name] = "nothing outside can be reached from this machine" in page
    assert says == {"fingract": True, "closed": False}
