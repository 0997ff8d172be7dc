"""A study made of a table, as the set-up's tests need it, and what its forms hold."""

from html.parser import HTMLParser
from typing import Any

from django.test import Client
from django.urls import reverse

from annotation.models import Study, User
from files.skipped import SkippedRecords
from imports.uploads import keep_upload
from set_up.study_files.application import make_study

TABLE = "document,system,summary\n" + "".join(
    f"A report on mill {n}.,{system},{system} says that mill {n} burned.\n"
    for n in range(10)
    for system in ("alder", "birch")
)
KEYS: dict[str, Any] = {
    "slug": "mills",
    "title": "Mills",
    "blocks": [{"task_type": "likert", "options": {}}],
    "items": ["t.csv"],
    "columns": {"text": "summary", "document": "document", "system": "system"},
    "overlap": 3,
    "rounds": [{"name": "main", "batch": {"normal": 5}, "expected_minutes": 10}],
}


def mills(owner: User, **keys: Any) -> Study:
    """Twenty summaries of ten reports; a file of a slider with other `blocks`."""
    digest = keep_upload([TABLE.encode()])
    files = {"t.csv": digest}
    return make_study(keys={**KEYS, **keys}, files=files, by=owner, skipped=SkippedRecords())


class Fields(HTMLParser):
    """What a browser without scripts would post of the main form of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.posted: dict[str, list[str]] = {}
        self._select = self._area = ""
        self._depth = 0
        self.feed(page[page.index("<main") :])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        name = values.get("name", "")
        if tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            if self._select not in self.posted or "selected" in values:
                self.posted[self._select] = [values.get("value", "\0")]
        elif tag == "textarea":
            self._area = name
            self.posted[name] = [""]
        elif tag == "input" and name:
            if values.get("type") not in ("checkbox", "radio"):
                self.posted[name] = [values.get("value", "")]
            elif "checked" in values:
                self.posted.setdefault(name, []).append(values.get("value") or "on")

    def handle_data(self, data: str) -> None:
        if self._area:
            self.posted[self._area][0] += data
        elif self._select and self.posted.get(self._select) == ["\0"]:
            self.posted[self._select] = [data]

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self.posted[self._area] = [self.posted[self._area][0].removeprefix("\n")]
            self._area = ""
        elif tag == "select":
            self._select = ""


def fields_of(client: Client, name: str, *args: Any) -> dict[str, list[str]]:
    """The fields of a form as they stand on its page."""
    address = reverse(name, args=args)
    page = client.get(address, follow=True)
    assert page.status_code == 200
    text = page.content.decode()
    # A page with several forms says of each where it goes.
    _before, named, form = text.partition(f'action="{address}"')
    return Fields(f"<main {form.partition('</form>')[0]}" if named else text).posted


def send(client: Client, name: str, *args: Any, go: str = "save", **changed: Any) -> Any:
    """Post the form of a page with some fields changed; `__` in a name stands for a dot or a
    hyphen as the page has it."""
    fields: dict[str, Any] = {**fields_of(client, name, *args), "go": go}
    for key, value in changed.items():
        names = [known for known in fields if known.replace(".", "__").replace("-", "__") == key]
        fields[names[0] if names else key] = value
    fields = {key: value for key, value in fields.items() if value is not None}
    return client.post(reverse(name, args=args), fields)
