"""The limit: a bare Django view with one row read, one 6 kB page and one insert.

As a module of gunicorn's it is the whole application: the database settings of the program, and
no sessions, no forms, no middleware. `python -m bench.serve.bare set-up UNITS` makes its tables,
`python -m bench.serve.bare count` says how often something was saved.
"""

import sys
from typing import Any, ClassVar

import django
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler

from config.settings import DATABASES, SECRET_KEY

PAGE = """<!doctype html><html lang="en"><title>{{ row.pk }}</title><main>
{% for line in lines %}<p>{{ line }}</p>
{% endfor %}</main>
<form method="post"><textarea name="answer"></textarea><button>Save</button></form>
"""
PAGE_BYTES = 6_000

if not settings.configured:
    settings.configure(
        DATABASES=DATABASES,
        SECRET_KEY=SECRET_KEY,
        ROOT_URLCONF=__name__,
        ALLOWED_HOSTS=["127.0.0.1"],
        USE_TZ=True,
        LOGGING_CONFIG=None,
    )
    django.setup()

from django.db import connection, models  # noqa: E402 (the settings come first)
from django.http import HttpRequest, HttpResponse  # noqa: E402
from django.template import Context, Engine  # noqa: E402
from django.urls import path  # noqa: E402


class Row(models.Model):
    """What the page shows."""

    text = models.TextField()

    objects: ClassVar[models.Manager["Row"]] = models.Manager()

    class Meta:
        app_label = "bare"

    def __str__(self) -> str:
        return f"row {self.pk}"


class Saved(models.Model):
    """What was posted to it."""

    row = models.ForeignKey(Row, on_delete=models.CASCADE)
    answer = models.TextField()

    objects: ClassVar[models.Manager["Saved"]] = models.Manager()

    class Meta:
        app_label = "bare"

    def __str__(self) -> str:
        return f"saved {self.pk}"


template = Engine().from_string(PAGE)


def page(request: HttpRequest, number: int) -> HttpResponse:
    """Read and shown, or inserted."""
    if request.method == "POST":
        Saved.objects.create(row_id=number, answer=request.POST["answer"])
        return HttpResponse("Saved")
    row = Row.objects.get(pk=number)
    return HttpResponse(template.render(Context({"row": row, "lines": row.text.splitlines()})))


urlpatterns: list[Any] = [path("<int:number>/", page)]
application = WSGIHandler()


def set_up(units: int) -> None:
    """Both tables, and the rows to show."""
    with connection.schema_editor() as schema:
        schema.create_model(Row)
        schema.create_model(Saved)
    line = "A line of what a question shows to whoever is asked. "
    text = "\n".join([line.strip()] * (PAGE_BYTES // (len(line) + len("<p></p>"))))
    Row.objects.bulk_create(Row(text=text) for _ in range(units))


if __name__ == "__main__":
    if sys.argv[1] == "set-up":
        set_up(int(sys.argv[2]))
    else:
        print(Saved.objects.count())
