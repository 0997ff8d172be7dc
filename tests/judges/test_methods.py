"""What holds of every judge method."""

from typing import Any

import pytest

from judges.backends.contract import Reply
from judges.methods.asks import Ask, AskOutcome
from judges.methods.contract import Method
from judges.methods.registry import METHODS, every_method, find_method
from tasktypes.citation_recovery import CITATION_RECOVERY
from tasktypes.registry import TASK_TYPES

all_methods = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)


@all_methods
def test_a_method_is_found_by_its_name_and_says_what_it_does(method: type[Method[Any]]) -> None:
    assert find_method(method.name) is method
    assert method.title
    assert len(method.description) > 50


@all_methods
def test_a_method_answers_task_types_that_there_are(method: type[Method[Any]]) -> None:
    assert method.serves
    assert set(method.serves) <= set(TASK_TYPES)


def test_an_unknown_method_is_named_with_the_known_ones() -> None:
    with pytest.raises(KeyError, match="no judge method 'tarot'") as refused:
        find_method("tarot")
    known = ", ".join(method.name for method in every_method())
    assert f"known: {known})" in str(refused.value)


def test_an_outcome_without_an_answer_says_why() -> None:
    with pytest.raises(ValueError, match="says why"):
        AskOutcome(Ask(1, "unit", "block", CITATION_RECOVERY, {}), (Reply(text="?"),))
