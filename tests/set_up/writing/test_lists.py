"""Lists that a model proposes by the page of preparation."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Member, Study, User
from generators.models import WritingCost
from jobs.models import Job
from jobs.runner import work
from tests.cast import join
from tests.imports.preparation.studies import claims_without_errors
from tests.judges.endpoints import MODEL, Opening
from tests.services.endpoint import Behaviour
from tests.set_up.writing.studies import writes

pytestmark = pytest.mark.django_db
FORM = {"list": "actionability/errors", "model": json.dumps(["default", MODEL])}


@pytest.fixture
def listed(tmp_path: Path, owner: User, client: Client, settings: Any) -> Study:
    settings.DATA_DIR = tmp_path / "data"
    made = claims_without_errors(tmp_path)
    join(made, owner, Member.Role.OWNER)
    client.force_login(owner)
    return made


def test_missing_lists_are_proposed_and_paid_for_once(
    client: Client,
    listed: Study,
    endpoint: Opening,
) -> None:
    server = endpoint(Behaviour(answer=writes))
    there = reverse("desk:propose-lists", args=[listed.slug])
    assert (
        f"{there}?list=actionability/errors"
        in client.get(reverse("desk:preparation", args=[listed.slug])).content.decode()
    )
    plan = client.post(there, FORM).context["plan"]
    assert (plan.total.answers, server.asked) == (2, [])
    client.post(there, FORM | {"confirmed": "1"})
    job = Job.objects.get(kind="propose_lists")
    assert work(job_id=job.pk)
    assert listed.preparations.filter(state="proposed").count() == 2
    assert float(WritingCost.objects.get().usd) == pytest.approx(server.charged["micro"] / 1e6)
    refused = client.post(there, FORM)
    assert "There are no lists left to write (2 are there already)." in refused.content.decode()
    assert len(server.asked) == 2


def test_a_study_without_such_questions_has_nothing_to_propose(
    client: Client, study: Study, owner: User
) -> None:
    client.force_login(owner)
    there = reverse("desk:propose-lists", args=[study.slug])
    assert client.get(there).status_code == 200
    assert client.post(there, FORM).status_code == 422
    assert client.get(f"{there}?list={'x' * 5000}").status_code == 200
