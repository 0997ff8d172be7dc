"""What a judge would say, shown without asking anybody."""

from pathlib import Path
from typing import Any

import pytest

from annotation.models import Study
from judges.methods.asks import Ask
from judges.methods.conversation import ChatMethod
from judges.methods.fingract import FinGrAct
from judges.methods.registry import METHODS
from judges.runs.plans.plan import plan_run
from judges.runs.plans.preview import shown_prompts
from tasktypes.contract import TaskType
from tasktypes.registry import TASK_TYPES
from tests.judges.methods.conversations import ready
from tests.judges.scripted_judges import scripted_judge

TALKING = [one for one in METHODS if issubclass(one, ChatMethod)]


def example_of(kind: TaskType[Any, Any, Any]) -> Ask:
    one = kind.example
    options = kind.Options.model_validate(one.options)
    payload = kind.payload(one.source, one.items, one.focus, options)
    return Ask(
        1, "unit", "block", kind, payload.model_dump(mode="json"), instructions="Told to all."
    )


@pytest.mark.parametrize("method", TALKING, ids=lambda one: one.name)
def test_what_a_talk_begins_with_is_what_it_says_first(
    method: type[ChatMethod[Any]], tmp_path: Path
) -> None:
    if method.name == FinGrAct.name:  # its summaries are made by a model on this machine
        pytest.importorskip("torch", reason="the extra `models` is not installed")
    conversations = 0
    for kind in (one for one in TASK_TYPES if method.can_serve(one)):
        chosen, ask = ready(method, tmp_path, {}), example_of(kind)
        shown = chosen.first_prompt(ask)
        [*said] = [reply for reply in chosen.answer(ask).replies if reply.request.get("messages")]
        conversations += bool(said)
        spoken = [message["content"] for message in said[0].request["messages"]] if said else []
        assert all(text in shown for text in spoken)
        assert bool(shown) == bool(spoken)
        assert ("Told to all." in shown) == (method.name == "zero_shot")
    assert conversations


@pytest.mark.django_db
def test_a_run_shows_the_prompt_that_it_kept(study: Study, tmp_path: Path) -> None:
    run = plan_run(study=study, judge=scripted_judge(study, tmp_path))
    run.prompts["citation_recovery"]["text"] = "As it was then."
    [recovery, slider] = shown_prompts(study, run.judge, run=run)
    assert (recovery.block, recovery.text) == ("citation_recovery", "As it was then.")
    assert [filled.unit for filled in slider.filled][:2] == ["claim-0/alder/1", "claim-1/alder/1"]
    assert all("Text to judge" in filled.text for filled in slider.filled)
    Path(run.judge.parameters["file"]).unlink()
    shown = shown_prompts(study, run.judge, run=run)
    assert [one.text for one in shown] == ["As it was then.", run.prompts["slider"]["text"]]
    assert not any(one.filled for one in shown)
