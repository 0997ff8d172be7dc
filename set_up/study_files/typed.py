"""What somebody typed into a form of a study that they may not change any more, or while signed
out: shown to be copied or kept, since nothing typed may be lost."""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

View = Callable[..., HttpResponse]
# Of the page, or packed by it: nothing that anybody typed.
_OF_THE_PAGE = ("csrfmiddlewaretoken", "version", "begun", "typed", "go")


def keep_form_input(view: View) -> View:
    """A decorator, outside of all others, for views with forms that take long to fill in. Whoever
    posts one and is signed out, or no member of the study (any more), or has too low a role, gets
    back what they typed. Nothing of the study is shown, and nothing is stored."""

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method != "POST":
            return view(request, *args, **kwargs)
        if not request.user.is_authenticated:
            return _given_back(request, 403)
        try:
            return view(request, *args, **kwargs)
        except Http404:
            return _given_back(request, 404)
        except PermissionDenied:
            return _given_back(request, 403)

    return page


def _given_back(request: HttpRequest, status: int) -> HttpResponse:
    context = {"typed": list(_typed(request))}
    return render(request, "desk/typed.html", context, status=status)


def _typed(request: HttpRequest) -> Iterator[tuple[str, str]]:
    """Every field with something in it, and what: the text that a file of all would have last."""
    for name, values in request.POST.lists():
        text = "\n".join(map(str, values))
        if name not in _OF_THE_PAGE and text.strip():
            yield name, text


@login_required
@require_POST
def download_typed(request: HttpRequest) -> HttpResponse:
    """What the form holds as a text file."""
    fields = list(_typed(request))
    text = "\n\n".join(text if len(fields) == 1 else f"{name}:\n{text}" for name, text in fields)
    answer = HttpResponse(text.replace("\r\n", "\n"), content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="typed.txt"'
    return answer
