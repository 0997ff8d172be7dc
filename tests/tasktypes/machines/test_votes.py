"""Several answers become one: every kind of value by its own rule, and ties by none."""

from typing import Any

import pytest

from tasktypes.actionability import ACTIONABILITY
from tasktypes.citation_recovery import CITATION_RECOVERY
from tasktypes.contract import TaskType
from tasktypes.importance import IMPORTANCE
from tasktypes.likert import LIKERT
from tasktypes.likert.schema import Payload
from tasktypes.machines.votes import NoConsensus, placed
from tasktypes.ranking import RANKING
from tasktypes.registry import TASK_TYPES
from tasktypes.slider import SLIDER


def payload_of(kind: TaskType[Any, Any, Any]) -> Any:
    given = kind.example
    options = kind.Options.model_validate(given.options)
    return kind.payload(given.source, given.items, given.focus, options)


@pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)
@pytest.mark.parametrize("votes", [1, 3])
def test_those_who_agree_have_said_one_thing(kind: TaskType[Any, Any, Any], votes: int) -> None:
    answer = kind.Answer.model_validate(kind.example.answer)
    assert kind.combined(payload_of(kind), [answer] * votes) == answer


def sets(*given: tuple[int, ...], how: str | None = None) -> tuple[int, ...]:
    answers = [CITATION_RECOVERY.Answer(sentences=chosen) for chosen in given]
    combined = CITATION_RECOVERY.combined(payload_of(CITATION_RECOVERY), answers, how=how)
    return tuple(combined.sentences)


def test_sets_are_united_or_go_by_the_majority_of_each_member() -> None:
    assert sets((0,), (0, 1), ()) == (0, 1)
    assert sets((0,), (0, 1), (), how="majority") == (0,)
    assert sets((0,), (1,), how="majority") == ()


def test_a_rule_for_numbers_leaves_sets_with_their_own() -> None:
    assert sets((0,), (1,), how="median") == (0, 1)


def test_numbers_go_by_mean_or_median() -> None:
    answers = [SLIDER.Answer(value=value) for value in (0.0, 10.0, 80.0)]
    assert SLIDER.combined(payload_of(SLIDER), answers).value == 30
    assert SLIDER.combined(payload_of(SLIDER), answers, how="median").value == 10


def test_a_tie_of_labels_is_no_consensus() -> None:
    criterion = {
        "key": "fine",
        "question": "Is it?",
        "distance": "nominal",
        "points": [{"value": "yes"}, {"value": "no"}],
    }
    payload = Payload.model_validate(
        {"criteria": [criterion], "per_sentence": True, "sentences": ["One.", "Two."]}
    )
    yes, split = (
        LIKERT.Answer(scores={"fine": given}) for given in (("yes", "yes"), ("yes", "no"))
    )
    assert LIKERT.combined(payload, [yes, split, yes]) == yes
    with pytest.raises(NoConsensus, match=r"scores\.fine: no label has more than half"):
        LIKERT.combined(payload, [yes, split])


def test_rankings_go_by_mean_rank_and_equal_means_share_a_place() -> None:
    """Means 1.5, 1.5 and 3: places 1, 1 and 3."""
    assert placed([(1, 2, 3), (2, 1, 3)]) == (1, 1, 3)
    payload = payload_of(RANKING)
    size = len(payload.candidates)
    up = tuple(range(1, size + 1))
    both = [RANKING.Answer(ranks=dict.fromkeys(payload.keys, up))] * 2
    assert RANKING.combined(payload, both) == both[0]


def test_a_rubric_goes_by_the_majority_of_every_yes_or_no() -> None:
    given = ACTIONABILITY.Answer.model_validate(ACTIONABILITY.example.answer)
    no = given.model_copy(
        update={"errors": tuple(one.model_copy(update={"corrects": False}) for one in given.errors)}
    )
    assert ACTIONABILITY.combined(payload_of(ACTIONABILITY), [no, given, no]) == no


def importance(*orders: tuple[int, ...]) -> list[Any]:
    given = IMPORTANCE.Answer.model_validate(IMPORTANCE.example.answer)
    return [given.model_copy(update={"order": order}) for order in orders]


def test_an_order_goes_by_mean_place_and_equals_by_number() -> None:
    answers = importance((2, 0, 1), (0, 2, 1))
    assert IMPORTANCE.combined(payload_of(IMPORTANCE), answers).order == (0, 2, 1)


def test_orders_of_different_claims_make_none() -> None:
    with pytest.raises(NoConsensus, match="order"):
        IMPORTANCE.combined(payload_of(IMPORTANCE), importance((0, 1), (0, 2)))
