from collections.abc import Iterator

import pytest
from django.template import Context, Engine
from django.utils import translation
from django.utils.safestring import mark_safe

from annotation.templatetags import kept


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    kept._kept.clear()
    yield
    kept._kept.clear()


class Drawn:
    """Counts how often it was drawn."""

    def __init__(self) -> None:
        self.times = 0

    def __str__(self) -> str:
        self.times += 1
        return "drawn"


def draw(text: str, *, debug: bool = False, **values: object) -> str:
    libraries = {"kept": "annotation.templatetags.kept", "i18n": "django.templatetags.i18n"}
    engine = Engine(libraries=libraries, debug=debug)
    template = engine.from_string("{% load kept %}" + text)
    return str(template.render(Context(values)))


def test_a_part_is_drawn_once_for_what_it_shows() -> None:
    drawn = Drawn()
    for word in ("a", "b", "a", "b"):
        page = draw(
            '{% kept "x" word %}{{ word }} {{ drawn }}{% endkept %}', word=word, drawn=drawn
        )
        assert page == f"{word} drawn"
    assert drawn.times == 2


def test_each_language_has_its_own() -> None:
    text = '{% load i18n %}{% kept "x" %}{% translate "Saved" %}{% endkept %}'
    with translation.override("en"):
        english = draw(text)
    with translation.override("ar"):
        arabic = draw(text)
    assert english == "Saved" != arabic


def test_what_is_marked_as_safe_does_not_unescape_the_same_text() -> None:
    text = '{% kept "x" word %}{{ word }}{% endkept %}'
    assert draw(text, word=mark_safe("<b>")) == "<b>"
    assert draw(text, word="<b>") == "&lt;b&gt;"


def test_a_mapping_goes_by_what_it_holds() -> None:
    text = '{% kept "x" verdicts %}{{ verdicts.true }}{% endkept %}'
    assert [draw(text, verdicts={"true": word}) for word in "aba"] == ["a", "b", "a"]


def test_only_so_many_parts_of_some_length_are_kept() -> None:
    for number in range(kept.KEPT + 5):
        draw('{% kept "x" number %}{{ number }}{% endkept %}', number=number)
    assert len(kept._kept) == kept.KEPT
    long = Drawn()
    for _ in range(2):
        page = '{% kept "long" %}{{ long }}{{ word }}{% endkept %}'
        draw(page, long=long, word="x" * kept.LONGEST)
    assert long.times == 2


def test_while_templates_are_worked_on_nothing_is_kept() -> None:
    drawn = Drawn()
    for _ in range(2):
        draw('{% kept "x" %}{{ drawn }}{% endkept %}', debug=True, drawn=drawn)
    assert drawn.times == 2
