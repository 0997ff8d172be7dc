"""Jobs that write: what is kept of a cancelled one, who may have one, and whose money it spends."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Member, Study, User
from endpoints.models import ModelEndpoint, Spending
from generators.jobs.requests import TextsRequest, Writer
from generators.jobs.work import ask_to_write
from generators.models import WritingCost
from jobs.models import Job, JobState
from jobs.queue import cancel
from jobs.runner import work
from judges.runs.plans.scope import RunRefused
from tests.cast import join
from tests.judges.endpoints import MODEL, Opening
from tests.services.endpoint import PRICE_IN, PRICE_OUT, Behaviour
from tests.set_up.writing.studies import claims, writes

pytestmark = pytest.mark.django_db


def texts(endpoint: str = "default") -> TextsRequest:
    writer = Writer(model=MODEL, endpoint=endpoint, system="Larch")
    return TextsRequest(kind="explanation", writers=(writer,))


@pytest.fixture
def mills(tmp_path: Path, owner: User, settings: Any) -> Study:
    settings.DATA_DIR = tmp_path / "data"
    made = claims(tmp_path)
    join(made, owner, Member.Role.OWNER)
    return made


def test_what_a_cancelled_job_has_paid_for_is_in_the_study(
    mills: Study, owner: User, endpoint: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jobs.reports.PROGRESS_SECONDS", -1)
    server = endpoint(Behaviour(answer=lambda _asked: "It is false [0]."), in_flight=1)
    job = ask_to_write(study=mills, request=texts(), by=owner)
    create = WritingCost.objects.create

    def pay(**fields: Any) -> WritingCost:
        cancel(Job.objects.get(pk=job.pk))
        return create(**fields)

    monkeypatch.setattr(WritingCost.objects, "create", pay)
    assert not work(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    assert mills.items.filter(system="Larch").count() == len(server.asked) > 0
    assert job.outcome is not None
    assert job.outcome["shares"][0]["stopped"] == "It was cancelled."


def test_an_editor_who_was_removed_has_nothing_written(
    mills: Study, owner: User, endpoint: Opening
) -> None:
    server = endpoint(Behaviour(answer=writes))
    job = ask_to_write(study=mills, request=texts(), by=owner)
    mills.members.filter(user=owner).update(role=Member.Role.VIEWER)
    assert not work(job_id=job.pk)
    job.refresh_from_db()
    assert "no longer allowed" in job.reason
    assert server.asked == []


def test_what_is_written_counts_into_what_the_account_may_spend(
    mills: Study, owner: User, endpoint: Opening, settings: Any
) -> None:
    server = endpoint(Behaviour(answer=writes))
    settings.JUDGE_ENDPOINTS = ""
    shared = ModelEndpoint.objects.create(
        name="shared", base_url=server.url, own_network=True, max_user_usd="0.05"
    )
    prices = {"input": PRICE_IN, "output": PRICE_OUT, "valid_on": date(2026, 1, 1)}
    shared.prices.create(model=MODEL, **prices)
    job = ask_to_write(study=mills, request=texts("shared"), by=owner)
    assert work(job_id=job.pk)
    spent = Spending.objects.get(user=owner, endpoint=shared).usd
    assert float(spent) == pytest.approx(server.charged["micro"] / 1e6)
    ModelEndpoint.objects.update(max_user_usd=spent)
    with pytest.raises(RunRefused, match="you have spent"):
        ask_to_write(study=mills, request=texts("shared"), by=owner)
