"""Workers who think, at an installation of your own: `locust -f locustfile.py --host https://…`.

Each comes by the study's open invitation, whose token `JURYBOX_INVITATION` holds, agrees, and
answers batch after batch. Take a copy of a study for it: what they answer is nonsense. `THINK_MEAN`
(20): the seconds that somebody thinks in the mean.
"""

import os
import random
import re
import time
from typing import Any
from urllib.parse import urlsplit

from locust import HttpUser, task

TOKEN = os.environ["JURYBOX_INVITATION"]
MEAN = float(os.environ.get("THINK_MEAN", "20"))
FORM = re.compile(r'<form[^>]*method="post".*?</form>', re.DOTALL)
INPUT = re.compile(r"<(?:input|textarea)\b[^>]*>")
SELECT = re.compile(r"<select\b([^>]*)>(.*?)</select>", re.DOTALL)
OPTION = re.compile(r'<option[^>]* value="([^"]+)"')
ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
NEXT = re.compile(r'<a class="button" href="(/[^"]+)"')
LOBBY = re.compile(r'href="(/work/[\w-]+/)"')
QUESTION = re.compile(r"/work/batch/[\w-]+/\d+/\d+/$")


class Worker(HttpUser):
    """One person with a browser."""

    def wait_time(self) -> float:
        """Mostly short, now and then long, as people are."""
        return random.expovariate(1 / MEAN)

    def on_start(self) -> None:
        """Join and agree."""
        self.page = self._get(f"/join/{TOKEN}/", "join")
        self.page = self._send(self.page, "join")

    @task
    def go_on(self) -> None:
        """What the page in front of them asks: a question is answered, any other page left by its
        form, or by its button where it has none."""
        if FORM.search(self.page.text):
            self.page = self._send(self.page, _name(self.page.url))
        elif onward := NEXT.search(self.page.text) or LOBBY.search(self.page.text):
            self.page = self._get(onward[1], _name(onward[1]))
        else:  # the end of the study
            self.stop()

    def _get(self, path: str, name: str) -> Any:
        return self.client.get(path, name=f"GET {name}")

    def _send(self, page: Any, name: str) -> Any:
        """Post the form of a page, with an answer where it asks something."""
        found = FORM.search(page.text)
        if found is None:
            return page
        form = found[0]
        action = re.search(r'action="([^"]+)"', form[: form.index(">")])
        address = action[1] if action else urlsplit(page.url).path
        fields = _filled(form, doubts=not urlsplit(page.url).path.endswith("/consent/"))
        with self.client.post(
            address,
            data=fields,
            headers={"Referer": page.url},
            name=f"POST {name}",
            catch_response=True,
        ) as reply:
            if reply.status_code == 503:  # too much is asked: the same again, a little later
                time.sleep(float(reply.headers.get("Retry-After", 5)))
                return page
            if reply.status_code == 422:  # no answer yet: the page says what is missing
                reply.success()
            return reply


def _name(address: str) -> str:
    """What a page is called in the tables: without keys and numbers."""
    path = urlsplit(address).path
    if QUESTION.search(path):
        return "question"
    if LOBBY.search(f'href="{path}"'):
        return "lobby"
    return next(part for part in reversed(path.strip("/").split("/")) if not part.isdecimal())


def _filled(form: str, *, doubts: bool) -> dict[str, Any]:
    """The fields as they are, with a number in each scale, one choice of each group, and another in
    each list, as a ranking wants it. doubts: boxes may stay empty, of which some exclude each
    other; else all are ticked, as those of consent have to be."""
    fields: dict[str, Any] = {}
    choices: dict[str, list[str]] = {}
    for tag in INPUT.findall(form):
        field = dict(ATTRIBUTE.findall(tag))
        name, kind = field.get("name"), field.get("type", "text")
        if not name or kind in ("submit", "file"):
            continue
        if kind == "checkbox" and doubts and random.random() < 0.5:  # noqa: S311
            continue
        if kind in ("radio", "checkbox"):
            choices.setdefault(name, []).append(field.get("value", "on"))
        elif kind == "number":
            low, high = float(field.get("min", 0)), float(field.get("max", 100))
            fields[name] = round(random.uniform(low, high))  # noqa: S311
        else:
            fields[name] = field.get("value", "")
    lists = [
        (dict(ATTRIBUTE.findall(tag)), OPTION.findall(inside))
        for tag, inside in SELECT.findall(form)
    ]
    order = random.sample(range(len(lists)), len(lists))
    for place, (field, options) in zip(order, lists, strict=True):
        if options:
            fields[field["name"]] = options[place % len(options)]
    picked = {name: random.choice(values) for name, values in choices.items()}  # noqa: S311
    return {**fields, **picked}
