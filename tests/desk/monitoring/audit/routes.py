"""The routes by which researchers change something, and whether what they run reaches the log."""

from collections.abc import Callable, Iterator
from inspect import isfunction, ismodule, unwrap
from types import CodeType, FunctionType
from typing import Any

from django.urls import get_resolver
from django.urls.resolvers import URLPattern, URLResolver
from django.views import View

from annotation.models import log_change
from jobs.kinds import Kind
from jurybox.packages import PACKAGES

ROOMS = {
    "desk",
    "set_up",
    "generators",
    "label_table",
    "recruitment",
    "alerts",
    "results",
    "judges",
    "endpoints",
    "imports",
    "accounts",
}


def routes_that_post() -> dict[str, Callable[..., Any]]:
    """Route name -> view, of all views of the researchers' rooms that take a POST."""
    return {name: view for name, view in _routes(get_resolver()) if _takes_post(view)}


def _routes(resolver: URLResolver, prefix: str = "") -> Iterator[tuple[str, Callable[..., Any]]]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLPattern):
            if unwrap(entry.callback).__module__.partition(".")[0] in ROOMS:
                yield f"{prefix}{entry.name}", entry.callback
        elif not entry.namespace:
            yield from _routes(entry, prefix)
        elif entry.namespace in ROOMS:
            yield from _routes(entry, f"{entry.namespace}:")


def _takes_post(view: Callable[..., Any]) -> bool:
    """Whether the view's code mentions POST, or its decorators let a POST through."""
    klass = getattr(view, "view_class", None)
    if klass is not None:
        return issubclass(klass, View) and hasattr(klass, "post")
    return _answers_post(view)


def _answers_post(view: Callable[..., Any]) -> bool:
    """By the decorators' list of methods; a view without one takes every method."""
    for layer in _layers(view):
        for cell in layer.__closure__ or ():
            methods = cell.cell_contents if _is_list_of_methods(cell) else None
            if methods is not None:
                return "POST" in methods
    return True


def _is_list_of_methods(cell: Any) -> bool:
    try:
        content = cell.cell_contents
    except ValueError:
        return False
    methods = {"GET", "HEAD", "POST"}
    return isinstance(content, list | tuple) and bool(content) and set(content) <= methods


def _layers(view: Any) -> Iterator[FunctionType]:
    while view is not None:
        if isfunction(view):
            yield view
        view = getattr(view, "__wrapped__", None)


def reaches_log(view: Callable[..., Any]) -> bool:
    """Whether a view calls `log_change`, itself or by functions of the program that it names."""
    klass = getattr(view, "view_class", None)
    start = [view] if klass is None else [f for f in vars(klass).values() if isfunction(f)]
    waiting: list[Any] = list(start)
    seen: set[int] = set()
    while waiting:
        function = waiting.pop()
        if function is log_change:
            return True
        if id(function) in seen:
            continue
        seen.add(id(function))
        waiting += _called(function)
    return False


def _called(function: Any) -> Iterator[Any]:
    """The functions that a function's code names, those of background work that it names, and
    those that it is wrapped around."""
    for layer in _layers(function):
        for cell in layer.__closure__ or ():
            try:
                if isfunction(cell.cell_contents):
                    yield cell.cell_contents
            except ValueError:
                continue
        names = set(_names(layer.__code__))
        for name in names:
            named = layer.__globals__.get(name)
            if isfunction(named) and _is_ours(named):
                yield named
            elif ismodule(named) and named.__name__.partition(".")[0] in PACKAGES:
                yield from (f for n in names if isfunction(f := getattr(named, n, None)))
            elif isinstance(named, Kind):
                yield from filter(isfunction, [*vars(type(named)).values(), *vars(named).values()])


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _is_ours(function: Any) -> bool:
    return unwrap(function).__module__.partition(".")[0] in PACKAGES
