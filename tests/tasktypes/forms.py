"""The form of a task type on a page of its own, without a server."""

from collections.abc import Callable
from typing import Any

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.datastructures import MultiValueDict
from playwright.sync_api import Page

from tasktypes.contract import TaskType

SCRIPTS = (
    "js/strip.js",
    "js/reading.js",
    "js/parts.js",
    "js/pad.js",
    "js/parts_list.js",
    "js/key_caps.js",
    "js/keys.js",
)
STYLES = ("tokens", "base", "form", "message", "question", "reading", "strip")
AnyType = TaskType[Any, Any, Any]
Opener = Callable[..., Page]


def static_text(name: str) -> str:
    path = finders.find(name)
    assert path
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 (finders give a string)
        return file.read()


def page_of(kind: AnyType, posted: dict[str, list[str]] | None, *, scripts: bool) -> str:
    example = kind.example
    options = kind.Options.model_validate(example.options)
    payload = kind.payload(example.source, example.items, example.focus, options)
    return page_of_payload(kind, payload, posted, scripts=scripts)


def page_of_payload(
    kind: AnyType, payload: Any, posted: dict[str, list[str]] | None, *, scripts: bool
) -> str:
    data = None if posted is None else MultiValueDict(posted)
    return page_of_form(kind, kind.Form(payload, data), scripts=scripts)


def page_of_form(kind: AnyType, shown_form: Any, *, scripts: bool = True) -> str:
    shown = {"form": shown_form}
    form = render_to_string("pages/refused.html", shown) + render_to_string(kind.template, shown)
    styles = [static_text(f"css/{name}.css") for name in STYLES]
    styles += [static_text(name) for name in kind.styles]
    code = [static_text(name) for name in (*kind.scripts, *SCRIPTS)] if scripts else []
    return (
        "<!doctype html><html lang=en><title>Question</title>"
        f'<style>{"".join(styles)}</style><body><main class="page page--question"><h1>Question</h1>'
        "<form class=question novalidate><fieldset class=question__answer>"
        f"{form}</fieldset><button name=go value=next>Next</button></form></main>"
        + "".join(f"<script>{one}</script>" for one in code)
    )


def posted_by(page: Page) -> list[list[str]]:
    found: list[list[str]] = page.evaluate(
        "Array.from(new FormData(document.querySelector('form')).entries())"
    )
    return found
