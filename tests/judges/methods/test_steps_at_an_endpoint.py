"""Methods of several steps, and generators, against a real endpoint with faults."""

import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import Sum

from annotation.models import Annotation, Question, Study
from judges.definitions.versions import define_judge
from judges.models import JudgeRun
from judges.runs.delivery import work
from judges.runs.plans.plan import forecast_run, plan_run
from retrieval.retriever import Retriever
from tests.imports.small_files import write_lines
from tests.imports.tables import import_files
from tests.judges.endpoints import MODEL, Opening
from tests.judges.scripted_judges import work_all
from tests.retrieval.web import ARTICLE, Answer, Web, fetcher, small_web
from tests.services.endpoint import Behaviour, Server

pytestmark = pytest.mark.django_db
UNITS = 6
ERROR = {"sentence": "It sank.", "reason": "It sails daily.", "correction": "It has not sunk."}


def imported(folder: Path, task_type: str, focus: Mapping[str, Any], text: str) -> Study:
    records: list[dict[str, Any]] = [{"study": {"title": "A", "task_type": task_type}}]
    for number in range(UNITS):
        source = {
            "key": f"ferry-{number}",
            "claim": "The ferry sank.",
            "query": f"Does ferry {number} sail?",
            "verdict": "false",
            "passages": [{"index": 0, "text": "It sails daily.", "selected": True}],
            "nuggets": [{"text": "It sails.", "vital": True}],
        }
        item = {"key": f"ferry-{number}/larch", "system": "Larch", "text": text}
        unit = {"key": item["key"], "subsets": ["full"], "focus": focus}
        records.append({"source": source, "items": [item], "unit": unit})
    return import_files("jsonl", write_lines(folder / "study.jsonl", records))


def run_of(study: Study, method: str, **parameters: Any) -> JudgeRun:
    judge = define_judge(
        study=study, name=method, method=method, backend="chat", model=MODEL, parameters=parameters
    )
    assert forecast_run(study=study, judge=judge, subset="full").usd is not None
    return work_all(plan_run(study=study, judge=judge, subset="full"))


def spent(run: JudgeRun) -> Decimal:
    return Decimal(run.calls.aggregate(usd=Sum("cost"))["usd"])


def charged(server: Server) -> Decimal:
    return Decimal(server.charged["micro"]) / 1_000_000


def assessed(asked: Mapping[str, Any]) -> str:
    """As a model would: the first ranking of each question uses a label that there is not."""
    said = asked["messages"][0]["content"]
    if "Put the claims in order" in said:
        first = "crucial" if len(asked["messages"]) == 1 else "vital"
        return json.dumps({"ranking": [{"claim": 1, "importance": first},
                                       {"claim": 0, "importance": "okay"}]})  # fmt: skip
    if "Facts by their numbers" in said:
        return '{"nuggets": [{"nugget": 0, "support": "supported"}]}'
    (number,) = re.findall(r"^(\d+): ", said.partition("Claims by their numbers")[2], re.M)
    return json.dumps({"claims": [{"claim": int(number), "support": "supported"}]})


def test_vital_asks_again_and_the_books_agree(endpoint: Opening, tmp_path: Path) -> None:
    server = endpoint(Behaviour(answer=assessed, rates={"429": 0.1, "500": 0.05}, seed=3))
    focus = {"claims": ["It is white.", "It sails."]}
    study = imported(tmp_path, "importance", focus, "It is white. It sails.")
    run = run_of(study, "vital")
    answers = Annotation.objects.filter(rater=run.rater).values_list("answer", flat=True)
    assert len(answers) == UNITS
    assert {tuple(answer["order"]) for answer in answers} == {(1, 0)}
    assert run.calls.filter(step="rank", status="parse_failure").count() == UNITS
    assert run.calls.filter(status="answered").count() == UNITS * 4
    again = [asked for asked in server.asked if len(asked["messages"]) == 3]
    assert all("'crucial' is none of" in asked["messages"][2]["content"] for asked in again)
    assert {asked["response_format"]["type"] for asked in server.asked} == {"json_schema"}
    assert sum(server.faults.values()) > 0
    assert spent(run) == charged(server)


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    with small_web() as started:
        started.answers["/ferry"] = Answer(ARTICLE.encode())
        monkeypatch.setattr(work, "retriever", lambda: Retriever(fetcher(started)))
        yield started


def filled_in(asked: Mapping[str, Any]) -> str:
    said = asked["messages"][0]["content"]
    if "Errors in the claim" in said:
        return '{"errors": [{"error": 0, "points_out": true, "corrects": false}]}'
    assert "The white ferry still sails" in said
    return '{"links": [{"link": 0, "exists": true, "relevant": true, "supports": true}]}'


def test_fingract_reads_the_page_once_and_the_books_agree(
    endpoint: Opening, web: Web, tmp_path: Path
) -> None:
    server = endpoint(Behaviour(answer=filled_in, rates={"429": 0.1}, seed=5))
    text = f"It sails. See {web.url('/ferry')} for more."
    study = imported(tmp_path, "actionability", {"errors": [ERROR]}, text)
    run = run_of(study, "fingract", summary="beginning")
    assert (run.state, run.reason) == ("complete", "")
    answers = Annotation.objects.filter(rater=run.rater).values_list("answer", flat=True)
    assert len(answers) == UNITS
    assert all(answer["links"][0]["supports"] for answer in answers)
    assert len(web.asked) == 1
    assert server.charged["calls"] == 2 * UNITS
    assert run.calls.filter(step="pages", cost=None).count() == UNITS
    assert spent(run) == charged(server)


def test_explanations_are_written_by_a_real_endpoint(
    endpoint: Opening, tmp_path: Path, settings: Any
) -> None:
    settings.DATA_DIR = tmp_path / "data"
    text = "The claim is false. It sails daily [0]."
    server = endpoint(Behaviour(reply=text, rates={"429": 0.1}, seed=7))
    study = imported(tmp_path, "importance", {}, "It is white. It sails.")
    Study.objects.filter(pk=study.pk).update(state=Study.State.DRAFT)
    call_command("generate", "s", "--system", "Elm", "--model", MODEL, "--max-cost", "1")
    made = study.items.filter(system="Elm")
    assert made.count() == server.charged["calls"] == UNITS
    assert Question.objects.filter(unit__items__in=made).count() == UNITS
    assert all("temperature" in asked for asked in server.asked)
