"""The page on which models write the texts of a study: plan, start, follow, write the missing."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Change, Member, Study, User
from annotation.pay.spending import spent_and_promised
from generators.models import WritingCost
from jobs.models import Job, JobState
from jobs.runner import work
from tests.cast import join
from tests.judges.endpoints import MODEL
from tests.services.endpoint import Server
from tests.set_up.writing.studies import CHOSEN, FORM

pytestmark = pytest.mark.django_db


def address(study: Study, name: str = "write-texts", *more: Any) -> str:
    return reverse(f"desk:{name}", args=[study.slug, *more])


def post(client: Client, study: Study, **fields: str) -> Any:
    return client.post(address(study), FORM | fields)


def started(client: Client, study: Study, **fields: str) -> Job:
    answer = post(client, study, confirmed="1", **fields)
    assert answer.status_code == 302, answer.content.decode()
    job = Job.objects.filter(kind="write_texts").latest("pk")
    assert answer["Location"] == address(study, "writing", job.pk)
    return job


def test_a_draft_without_texts_leads_to_the_page(client: Client, mills: Study) -> None:
    page = client.get(reverse("desk:set-up", args=[mills.slug])).content.decode()
    assert "3 sources without a text" in page
    assert address(mills) in page
    page = client.get(address(mills)).content.decode()
    assert "3 sources, and no text about them yet" in page
    assert "3 claims" in page
    assert MODEL not in page  # the environment's endpoint lists none


def test_the_plan_says_what_is_asked_and_costs_before_anything_is(
    client: Client, mills: Study, server: Server
) -> None:
    answer = post(client, mills, limit="2", **{"model-1": CHOSEN, "system-1": "Fir"})
    page = answer.content.decode()
    assert answer.status_code == 200
    assert [row.forecast.answers for row in answer.context["plan"].shares] == [2, 2]
    assert [name in page for name in ("Larch", "Fir")] == [True, True]
    assert "Mill 0 burnt." in page  # the prompt as it is sent
    assert (server.asked, Job.objects.count()) == ([], 0)


def test_texts_are_written_and_those_that_failed_alone_are_asked_for_again(
    client: Client, mills: Study, server: Server
) -> None:
    job = started(client, mills)
    assert work(job_id=job.pk)
    page = client.get(address(mills, "writing", job.pk)).content.decode()
    assert "1 text is missing" in page
    assert "1 × The reply is empty." in page
    assert mills.items.filter(system="Larch").count() == 2
    paid = WritingCost.objects.get(study=mills)
    assert float(paid.usd) == pytest.approx(server.charged["micro"] / 1e6)
    assert spent_and_promised(mills) == round(paid.usd, 2)
    asked = len(server.asked)
    server.behaviour.__dict__["answer"] = lambda _: "It is false [0]."
    plan = client.get(address(mills, "write-missing", job.pk))
    assert plan.context["plan"].total.answers == 1
    again = client.post(
        address(mills), {"confirmed": "1", "kind": "explanation"} | plan.context["posted"]
    )
    assert again.status_code == 302, again.content.decode()
    assert work(job_id=Job.objects.latest("pk").pk)
    assert len(server.asked) == asked + 1
    assert mills.items.filter(system="Larch").count() == 3
    actions = list(Change.objects.filter(study=mills).values_list("action", flat=True))
    assert (actions.count("texts.asked"), actions.count("texts.written")) == (2, 2)
    page = client.get(address(mills, "write-missing", job.pk), follow=True).content.decode()
    assert "no texts left to write (3 are there already)" in page


def job_page(study: Study, job: Job) -> str:
    return address(study, "writing", job.pk)


def test_an_open_study_and_one_without_a_question_get_no_texts(
    client: Client, mills: Study, server: Server
) -> None:
    mills.state = Study.State.OPEN
    mills.save(update_fields=["state"])
    assert "the study is open" in post(client, mills).content.decode()
    mills.state = Study.State.DRAFT
    mills.save(update_fields=["state"])
    mills.blocks.all().delete()
    assert "blocks: the study has none yet" in post(client, mills).content.decode()


def test_other_texts_wait_for_those_that_are_being_written(
    client: Client, mills: Study, server: Server
) -> None:
    job = started(client, mills)
    assert started(client, mills) == job
    answer = post(client, mills, confirmed="1", **{"system-0": "Fir"})
    assert "Other texts are being written for this study" in answer.content.decode()


def test_outsiders_and_viewers_find_nothing(
    client: Client, mills: Study, server: Server, outsider: User, colleague: User
) -> None:
    job = started(client, mills)
    join(mills, colleague, Member.Role.VIEWER)
    for user, status in ((outsider, 404), (colleague, 403)):
        client.force_login(user)
        for name in ("write-texts", "propose-lists"):
            assert client.get(address(mills, name)).status_code == status
            assert client.post(address(mills, name), FORM).status_code == status
        for name in ("writing", "write-missing"):
            assert client.get(address(mills, name, job.pk)).status_code == status
        assert client.post(address(mills, "cancel-writing", job.pk)).status_code == status
    assert Job.objects.get(pk=job.pk).state == JobState.QUEUED


def test_a_job_of_another_study_or_kind_has_no_page_here(
    client: Client, mills: Study, server: Server
) -> None:
    other = Job.objects.create(kind="export", study=mills, asked_at=mills.created_at)
    assert client.get(job_page(mills, other)).status_code == 404
    assert client.get(f"{address(mills)}{'9' * 5000}/").status_code == 404
