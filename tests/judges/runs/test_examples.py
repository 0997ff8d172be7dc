"""What a run leaves out for its judge's examples, and which blocks they are for."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.models import Item, Member, Question, Study, Unit, UnitItem
from judges.definitions.versions import BadJudge, define_judge, method_of
from judges.models import Judge
from judges.probes.sets import ProbeChoice, chosen_units
from judges.runs.plans.plan import forecast_run, plan_run
from judges.runs.plans.preview import shown_prompts
from judges.runs.plans.scope import RunRefused, refuse_unusable
from judges.runs.progress import units_left_out
from tests.cast import make_study
from tests.judges.scripted_judges import replies_for, work_all, write_lines
from tests.sessions import as_user

pytestmark = pytest.mark.django_db
SHOWN, SIBLING = "claim-0/alder/1", "claim-0/birch/1"
SCALE = {"criteria": [{"key": "clear", "question": "Is it clear?", "low": 1, "high": 5}]}
TWO: tuple[tuple[str, dict[str, Any]], ...] = (("slider", {}), ("likert", SCALE))
SLOTS = {
    "material": "M",
    "text": "T",
    "question": "Q?",
    "low": "0",
    "high": "100",
    "low_label": "bad",
    "high_label": "good",
}
FOR_SLIDER = {"slots": SLOTS, "answer": {"value": 10}, "block": "slider"}


def judge_with(study: Study, folder: Path, **parameters: Any) -> Judge:
    file = write_lines(folder / "replies.jsonl", [{"unit": "u", "reply": "{}"}])
    return define_judge(
        study=study,
        name="shown",
        method="zero_shot",
        backend="scripted",
        model="none",
        parameters={"replies": str(file), **parameters},
    )


def add_sibling(study: Study) -> Unit:
    """Another unit of the source of the example: the same claim in other words."""
    unit = Unit.objects.get(study=study, key=SHOWN)
    item = Item.objects.get(units=unit)
    item.pk, item.key, item.system = None, "claim-0/birch", "Birch"
    item.save()
    questions = list(unit.questions.all())
    unit.pk, unit.key = None, SIBLING
    unit.save()
    UnitItem.objects.create(unit=unit, item=item, position=0)
    for subset in study.subsets.all():
        subset.units.add(unit)
    for question in questions:
        question.pk, question.unit = None, unit
        question.save()
    return unit


def keys_asked(run: Any) -> set[str]:
    return set(run.calls.values_list("question__unit__key", flat=True))


def test_the_whole_source_of_an_example_is_left_out_and_counted(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sibling = add_sibling(study)
    file = write_lines(tmp_path / "replies.jsonl", replies_for(study))
    examples = [{"unit": SHOWN, "block": "citation_recovery"}]
    judge = judge_with(study, tmp_path, replies=str(file), examples=examples)
    assert forecast_run(study=study, judge=judge).examples == 2
    run = work_all(plan_run(study=study, judge=judge))
    assert keys_asked(run) == {"claim-1/alder/1", "claim-2/alder/1"}
    assert units_left_out(run) == 2
    assert sibling.pk not in chosen_units(study, judge, ProbeChoice())
    assert not {SHOWN, SIBLING} & {
        filled.unit for shown in shown_prompts(study, judge) for filled in shown.filled
    }
    call_command("judge", study.slug, str(judge), "--dry-run")
    said = "2 units are left out: its examples, and others of their sources."
    assert said in capsys.readouterr().out


def test_a_run_from_before_counts_only_what_it_did_not_ask(study: Study, tmp_path: Path) -> None:
    add_sibling(study)
    run = plan_run(study=study, judge=judge_with(study, tmp_path))
    asked = run.judge
    asked.parameters = {**asked.parameters, "examples": [{"unit": SHOWN}]}
    run.calls.filter(question__unit__key=SHOWN).delete()
    assert units_left_out(run) == 1


@pytest.fixture
def two() -> Study:
    """A study with a slider and a scale of five points."""
    return make_study("two", blocks=TWO)


def test_an_example_for_one_block_leaves_the_judge_on_the_others(
    two: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judge = judge_with(two, tmp_path, examples=[FOR_SLIDER])
    assert forecast_run(study=two, judge=judge).answers == 6
    call_command("judge", "two", str(judge), "--dry-run")
    assert "6 calls" in capsys.readouterr().out
    shown = {prompt.block: prompt.filled[0].text for prompt in shown_prompts(two, judge)}
    assert '{"value": 10}' in shown["slider"]
    assert '{"value": 10}' not in shown["likert"]


def test_a_block_that_is_not_answered_is_named_with_the_reason(
    two: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str], owner: Any
) -> None:
    judge = judge_with(two, tmp_path, template="Rate $text from $low to $high.")
    why = "Block likert is not answered: template: there is no slot $low"
    for act in ("--dry-run", "--preview"):
        call_command("judge", "two", str(judge), act)
        assert why in capsys.readouterr().out
    assert why.split(": ", 1)[1] in str(plan_run(study=two, judge=judge).left_out["blocks"])
    with pytest.raises(CommandError, match=r"does not answer 'likert' here .but slider.: templ"):
        call_command("judge", "two", str(judge), "--block", "likert", "--preview")
    Member.objects.create(study=two, user=owner, role=Member.Role.OWNER)
    sent = {"judge": str(judge), "replicates": 1}
    page = as_user(owner).post(reverse("judges:start", args=["two"]), sent)
    assert "Block likert is not answered" in page.content.decode()


def test_slots_are_checked_against_the_types_of_the_study(two: Study) -> None:
    definition = {"name": "typo", "method": "zero_shot", "model": "m"}
    two.judges = [{**definition, "parameters": {"template": "Rate $txt."}}]
    with pytest.raises(RunRefused, match=r"no slot \$txt .known: .*\$low_label") as refused:
        refuse_unusable(two, ["typo"])
    assert "$index" not in str(refused.value)


@pytest.mark.parametrize(
    ("example", "reason"),
    [
        ({**FOR_SLIDER, "slots": {"txt": "T"}}, r"slots.txt: there is no such .*block slider"),
        ({**FOR_SLIDER, "block": "likert"}, r"slots.question: there is no such .*block likert"),
        ({**FOR_SLIDER, "block": "elsewhere"}, "no block elsewhere to answer .slider, likert"),
        ({"unit": "nowhere"}, "there is no unit nowhere"),
        ({"unit": SHOWN}, "name the block of unit"),
    ],
)
def test_an_example_that_suits_no_block_or_unit_is_refused_with_the_study(
    two: Study, tmp_path: Path, example: dict[str, Any], reason: str
) -> None:
    definition = {"name": "shown", "method": "zero_shot", "model": "m"}
    two.judges = [{**definition, "parameters": {"examples": [example]}}]
    with pytest.raises(RunRefused, match=f"judges.shown: parameters.*{reason}"):
        refuse_unusable(two, ["shown"])
    with pytest.raises(BadJudge, match=reason):
        judge_with(two, tmp_path, examples=[example])


def test_an_example_without_an_answer_yet_waits_for_the_run(two: Study) -> None:
    definition = {"name": "shown", "method": "zero_shot", "model": "m"}
    examples = [{"unit": SHOWN, "block": "likert"}]
    two.judges = [{**definition, "parameters": {"examples": examples}}]
    refuse_unusable(two, ["shown"])


def test_the_shown_answer_stands_as_the_prompt_asks_for_it(two: Study, tmp_path: Path) -> None:
    Question.objects.filter(unit__key=SHOWN, block__key="likert").update(
        reference={"scores": {"clear": 4.0}}
    )
    judge = judge_with(two, tmp_path, examples=[{"unit": SHOWN, "block": "likert"}])
    [likert] = [p for p in shown_prompts(two, judge) if p.block == "likert"]
    [stored] = judge.parameters["examples"]
    assert stored["answer"] == {"scores": {"clear": 4.0}}
    assert f"[assistant]\n{json.dumps({'scores': {'clear': 4}})}\n" in likert.filled[0].text
    assert method_of(judge).example_units() == (SHOWN,)
