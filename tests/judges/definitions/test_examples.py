"""Examples that a judge takes from units: frozen when it is defined, and left out of its runs."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation.answers.record import GivenAnswer, record_answers
from annotation.models import Annotation, Question, Rater, Study, User
from exports.tables.answers import answer_lines
from judges.definitions.versions import BadJudge, define_judge, judge_for, method_of
from judges.models import Judge
from judges.runs.plans.plan import forecast_run, plan_run
from judges.runs.plans.preview import shown_prompts
from tests.judges.scripted_judges import replies_for, work_all, write_lines

pytestmark = pytest.mark.django_db
SHOWN = "claim-0/alder/1"


def define(study: Study, folder: Path, lines: Any = None, **parameters: Any) -> Judge:
    file = write_lines(folder / "replies.jsonl", lines or replies_for(study))
    return define_judge(
        name="model",
        method="zero_shot",
        backend="scripted",
        model="none",
        parameters={"replies": str(file), **parameters},
        study=study,
    )


def question_of(study: Study, block: str = "slider") -> Question:
    return Question.objects.select_related("block").get(
        study=study, unit__key=SHOWN, block__key=block
    )


def answer_as(study: Study, name: str, value: float) -> None:
    rater, _ = Rater.objects.get_or_create(study=study, name=name, kind=Rater.Kind.HUMAN)
    question = question_of(study)
    answer = question.typed_answer({"value": value})
    record_answers(rater=rater, given=[GivenAnswer(question=question, answer=answer)])


def example(**fields: Any) -> dict[str, Any]:
    return {"examples": [{"unit": SHOWN, **fields}]}


def test_an_example_takes_the_reference_of_its_unit(study: Study, tmp_path: Path) -> None:
    question = question_of(study, "citation_recovery")
    judge = define(study, tmp_path, **example(block="citation_recovery"))
    [stored] = judge.parameters["examples"]
    assert stored == {
        "unit": SHOWN,
        "block": "citation_recovery",
        "study": study.slug,
        "payload": question.payload,
        "answer": question.reference,
        "source": "reference",
    }


def test_an_example_takes_what_people_agree_on_and_keeps_it(study: Study, tmp_path: Path) -> None:
    for name, value in (("w1", 20), ("w2", 60)):
        answer_as(study, name, value)
    first = define(study, tmp_path, **example(block="slider"))
    [stored] = first.parameters["examples"]
    assert (stored["answer"], stored["source"]) == ({"value": 40.0}, "people")
    answer_as(study, "w3", 100)
    assert define(study, tmp_path, **example(block="slider")) == first
    again = define(study, tmp_path, **example(block="slider"), system="Another version.")
    assert again.version == 2
    assert again.parameters["examples"] == first.parameters["examples"]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"unit": "nowhere"}, "there is no unit nowhere to answer"),
        ({"block": "elsewhere"}, "no unit claim-0/alder/1 in block elsewhere"),
        ({}, "name the block of unit claim-0/alder/1 .citation_recovery, slider"),
        ({"block": "slider"}, "has no reference and no answer of people"),
    ],
)
def test_an_example_that_cannot_be_taken_is_refused(
    study: Study, tmp_path: Path, fields: dict[str, Any], reason: str
) -> None:
    with pytest.raises(BadJudge, match=f"parameters.examples: .*{reason}"):
        define(study, tmp_path, **example(**fields))


def test_units_shown_as_examples_are_left_out_and_counted(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judge = define(study, tmp_path, **example(block="citation_recovery"))
    forecast = forecast_run(study=study, judge=judge)
    whole = forecast_run(study=study, judge=define(study, tmp_path))
    assert (forecast.examples, whole.examples) == (1, 0)
    assert forecast.answers == whole.answers - 2  # in both blocks
    run = work_all(plan_run(study=study, judge=judge))
    assert run.state == "complete"
    assert not Annotation.objects.filter(rater=run.rater, question__unit__key=SHOWN).exists()
    call_command("judge", study.slug, str(judge), "--dry-run")
    assert "1 unit is left out as its example." in capsys.readouterr().out


def test_the_pages_show_the_prompts_of_some_units_and_what_is_left_out(
    study: Study, owner: User, tmp_path: Path, client: Client
) -> None:
    client.force_login(owner)
    judge = define(study, tmp_path, template="Mine: $claim", **example(block="citation_recovery"))
    run = work_all(plan_run(study=study, judge=judge))
    address = reverse("judges:judge", args=[study.slug, judge.name, judge.version])
    html = client.get(address).content.decode()
    assert html.count("Prompts about") == 4  # two of three units in each block
    assert "Mine: " in html
    html = client.get(reverse("judges:run", args=[study.slug, run.pk])).content.decode()
    assert "1, which the judge is shown as an example" in html
    assert SHOWN not in {
        filled.unit for shown in shown_prompts(study, judge) for filled in shown.filled
    }


def test_the_command_previews_the_prompts_of_units(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judge = define(study, tmp_path, template="Mine: $claim", system="Strict.")
    call_command("judge", study.slug, str(judge), "--preview", "2", "--block", "slider")
    out = capsys.readouterr().out
    assert out.count(f"--- {judge}, slider, ") == 2
    assert out.count("[system]\nStrict.\n\n[user]\nMine: ") == 2
    assert not study.judge_runs.exists()


def test_a_slot_that_no_block_of_the_study_has_is_refused_when_the_judge_is_defined(
    study: Study, tmp_path: Path
) -> None:
    with pytest.raises(BadJudge, match=r"parameters.template: there is no slot \$texts \(known:"):
        define(study, tmp_path, template="$claim $texts")
    only_recovery = define(study, tmp_path, template="$passage")
    blocks = method_of(only_recovery)
    assert [b.key for b in study.blocks.all() if not blocks.objection(b.task_type, b.facets)] == [
        "citation_recovery"
    ]


def test_reasons_are_shown_and_exported_with_the_answers_and_read_past_again(
    study: Study, owner: User, tmp_path: Path, client: Client
) -> None:
    lines = [
        {**line, "reply": json.dumps({"reason": "So it says.", **json.loads(line["reply"])})}
        for line in replies_for(study)
    ]
    run = work_all(plan_run(study=study, judge=define(study, tmp_path, lines, reason="before")))
    assert run.state == "complete"
    assert {call.detail["reason"] for call in run.calls.all()} == {"So it says."}
    client.force_login(owner)
    unit = question_of(study).unit_id
    html = client.get(reverse("desk:unit", args=[study.slug, unit])).content.decode()
    assert html.count("So it says.</p>") == 2  # an answer to each block
    exported = [json.loads(line) for line in answer_lines(study)]
    of_judge = [line for line in exported if line["rater"] == "model"]
    assert of_judge
    assert all(line["reasons"] == ["So it says."] for line in of_judge)
    assert all("reason" not in line["answer"] for line in of_judge)
    file = write_lines(tmp_path / "a.jsonl", [{**of_judge[0], "rater": "again"}])
    call_command("import_answers", study.slug, str(file))


def test_a_study_can_name_its_judge_again_and_again(study: Study, tmp_path: Path) -> None:
    file = write_lines(tmp_path / "replies.jsonl", replies_for(study))
    study.judges = [
        {
            "name": "mine",
            "method": "zero_shot",
            "backend": "scripted",
            "model": "none",
            "parameters": {"replies": str(file), **example(block="citation_recovery")},
        }
    ]
    study.save()
    assert judge_for(study, "mine") == judge_for(study, "mine")
    assert judge_for(study, "mine").version == 1
