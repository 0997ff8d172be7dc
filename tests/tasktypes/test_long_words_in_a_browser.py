"""A word without an end, such as an address or a string of code, in every text of every kind."""

import pytest

from tasktypes.registry import TASK_TYPES
from tests.services.browser import lengthen_words, runs_out
from tests.tasktypes.forms import AnyType, Opener

kinds = pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)


@kinds
def test_a_word_without_an_end_does_not_widen_the_page(open_form: Opener, kind: AnyType) -> None:
    page = open_form(kind)
    assert lengthen_words(page) > 3
    assert runs_out(page) == []
