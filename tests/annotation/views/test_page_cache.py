from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from django.template import engines
from django.utils import translation
from django.utils.safestring import mark_safe

from annotation.views import page_cache
from annotation.views.page_cache import draw


class Shown(NamedTuple):
    word: str


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    page_cache._drawn.cache_clear()
    yield
    page_cache._drawn.cache_clear()


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Templates are their own text here, and those that are drawn are listed."""
    names: list[str] = []

    def render(text: str, context: dict[str, object]) -> str:
        names.append(text)
        return engines["django"].from_string(text).render(context)

    monkeypatch.setattr(page_cache, "render_to_string", render)
    return names


def test_a_page_is_drawn_once_for_what_it_shows(drawn: list[str]) -> None:
    for word in ("a", "b", "a", "b"):
        assert draw("<p>{{ word }}</p>", Shown(word)) == f"<p>{word}</p>"
    assert len(drawn) == 2


def test_what_is_a_request_s_own_is_put_in_each_time(drawn: list[str]) -> None:
    page = '{{ word }}<i id="{{ token }}">{{ body }}{{ token }}</i>'
    for token in ("x", "<y>"):
        text = draw(page, Shown("<a>"), token=token, body=mark_safe("<b>"))
        escaped = token.replace("<", "&lt;").replace(">", "&gt;")
        assert text == f'&lt;a&gt;<i id="{escaped}"><b>{escaped}</i>'
    assert len(drawn) == 1


def test_a_text_cannot_ask_for_what_is_a_request_s_own(drawn: list[str]) -> None:
    for text in ("{{ token }}", "token"):
        assert draw("{{ word }}", Shown(text), token="secret") == text


def test_each_language_has_its_own(drawn: list[str]) -> None:
    text = '{% load i18n %}{% translate "Saved" %}'
    with translation.override("en"):
        english = draw(text, Shown(""))
    with translation.override("ar"):
        arabic = draw(text, Shown(""))
    assert english == "Saved" != arabic


def test_while_templates_are_worked_on_nothing_is_kept(drawn: list[str], settings: Any) -> None:
    settings.DEBUG = True
    for _ in range(2):
        draw("{{ word }}", Shown("a"))
    assert len(drawn) == 2
