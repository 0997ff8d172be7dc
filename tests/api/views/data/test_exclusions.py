"""Exclusion rules by the API: looked at, applied as they were seen, and taken back."""

from django.test import Client
from django.utils import timezone

from annotation.models import Annotation, Study
from annotation.work.submission import submit
from tests.annotation.workers import answer_all, lease, newcomer
from tests.api.calls import get, post


def test_an_exclusion_is_looked_at_applied_as_it_was_seen_and_undone(
    program: Client, study: Study
) -> None:
    worker = newcomer(study)
    submit(assignment=answer_all(lease(worker)), now=timezone.now())
    counted = Annotation.objects.filter(study=study, excluded_reason="").count()
    rule = post(program, "exclusions/", {"workers": [worker.number]}).json()
    preview = rule["preview"]
    assert preview["workers"] == [{"worker": worker.pseudonym, "reasons": ["named"]}]
    other = post(program, f"exclusions/{rule['id']}/apply/", {"seen": "another"}).json()
    assert "nothing was excluded" in other["said"]
    job = post(program, f"exclusions/{rule['id']}/apply/", {"seen": preview["seen"]}).json()
    assert "1 batch is excluded now" in job["said"]
    assert Annotation.objects.filter(study=study, excluded_reason="").count() < counted
    assert get(program, "exclusions/?applied=true")["results"][0]["id"] == rule["id"]
    post(program, f"exclusions/{rule['id']}/undo/")
    assert Annotation.objects.filter(study=study, excluded_reason="").count() == counted
    assert post(program, "exclusions/", {}).status_code == 422
