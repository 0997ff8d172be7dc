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
INPUT = re.compile(r"<(?:input|textarea|select)\b[^>]*>")
ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
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
        form."""
        path = urlsplit(self.page.url).path
        name = "question" if QUESTION.search(path) else path.strip("/").rpartition("/")[2]
        if FORM.search(self.page.text) is None:  # the end of a batch, or of the study
            lobby = re.search(r'href="(/work/[\w-]+/)"', self.page.text)
            if lobby is None:
                self.stop()
                return
            self.page = self._get(lobby[1], "lobby")
        else:
            self.page = self._send(self.page, name)

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
        fields = _filled(form, doubts=QUESTION.search(urlsplit(page.url).path) is not None)
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


def _filled(form: str, *, doubts: bool) -> dict[str, Any]:
    """The fields as they are, with one choice of each group. doubts: boxes may stay empty, of which
    some exclude each other; else all are ticked, as those of consent have to be."""
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
        else:
            fields[name] = field.get("value", "")
    picked = {name: random.choice(values) for name, values in choices.items()}  # noqa: S311
    return {**fields, **picked}
