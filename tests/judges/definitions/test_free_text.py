"""A text that a study asks judges for takes the place of a reason; other studies are untouched."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Annotation, Rating, Study, User
from exports.tables.answers import answer_lines
from judges.definitions.versions import define_judge, judge_for
from judges.models import Judge
from judges.runs.plans.plan import plan_run
from tests.judges.scripted_judges import replies_for, work_all, write_lines

pytestmark = pytest.mark.django_db
ASKED = {"question": "What is $wrong?", "kind": "correction", "required": True, "longest": 99}


def define(study: Study, folder: Path, lines: Any = None, **parameters: Any) -> Judge:
    file = write_lines(folder / "replies.jsonl", lines or replies_for(study))
    named = {"replies": str(file), **parameters}
    kind = {"method": "zero_shot", "backend": "scripted", "model": "none"}
    return define_judge(study=study, name="model", parameters=named, **kind)


def hashes(study: Study, judge: Judge) -> dict[str, str]:
    prompts = plan_run(study=study, judge=judge).prompts
    return {block: prompt["hash"] for block, prompt in prompts.items()}


def ask(study: Study, of: str) -> None:
    study.free_text = {**ASKED, "asked_of": of}
    study.save()


def test_prompts_and_versions_stay_as_they_were_where_judges_are_asked_nothing(
    study: Study, tmp_path: Path
) -> None:
    before = define(study, tmp_path)
    first = hashes(study, before)
    assert "reason_question" not in before.parameters
    ask(study, "people")
    assert define(study, tmp_path) == before
    assert hashes(study, before) == first


@pytest.mark.parametrize("reason", ["none", "before"])
def test_a_study_that_asks_judges_makes_the_next_version_which_is_asked_in_its_words(
    study: Study, tmp_path: Path, reason: str
) -> None:
    before = define(study, tmp_path, reason=reason)
    first = hashes(study, before)
    ask(study, "both")
    asked = define(study, tmp_path, reason=reason)
    assert (before.version, asked.version) == (1, 2)
    run = plan_run(study=study, judge=asked)
    for block, prompt in run.prompts.items():
        assert prompt["hash"] != first[block]
        assert (
            'one more field, "reason", a text that answers this: What is $$wrong?' in prompt["text"]
        )
        assert "why you answer so" not in prompt["text"]
    assert hashes(study, before) == first


def test_only_our_own_prompt_of_one_request_is_changed(study: Study, tmp_path: Path) -> None:
    ask(study, "judges")
    assert "reason" not in define(study, tmp_path, template="$claim").parameters
    assert "reason" not in judge_for(study, "lexical").parameters


def test_the_text_is_kept_shown_by_its_name_and_exported_and_is_no_part_of_the_answer(
    study: Study, owner: User, tmp_path: Path, client: Client
) -> None:
    ask(study, "judges")
    lines = [
        {**line, "reply": json.dumps({"reason": "It <b>burned.", **json.loads(line["reply"])})}
        for line in replies_for(study)
    ]
    run = work_all(plan_run(study=study, judge=define(study, tmp_path, lines)))
    assert run.state == "complete"
    sent = run.calls.first()
    assert sent is not None
    assert sent.texts == ["It <b>burned."]
    values = set(Rating.objects.values_list("label", flat=True))
    assert values == {None}
    client.force_login(owner)
    unit = Annotation.objects.earliest("pk").question.unit_id
    page = client.get(reverse("desk:unit", args=[study.slug, unit])).content.decode()
    assert '<span class="muted">Correction:</span> It &lt;b&gt;burned.</p>' in page
    exported = [json.loads(line) for line in answer_lines(study)]
    assert all(line["reasons"] == ["It <b>burned."] for line in exported)
