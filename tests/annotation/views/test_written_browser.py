"""Chat answers with lists, a table, code and formulas: the same lines on every page that shows
them, on a phone and on a desktop, with nothing that runs out or that only some can use."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Locator, Page

from annotation.models import AdjudicationCase, Member, Study
from api.scopes import Scope
from api.tokens import make_token
from desk.data.adjudication.queue import add_cases
from exports.files import write_export
from tasktypes.texts.written import as_written, spaces_of
from tests.annotation.views.worker_pages import NewPage, address, open_batch
from tests.annotation.workers import answer_step, step_at
from tests.cast import join, make_user
from tests.services.browser import (
    axe_violations,
    follow,
    scrolls_sideways,
    violations_in_both_schemes,
)
from tests.sessions import sign_in

pytestmark = pytest.mark.django_db(transaction=True)

CHAT = r"""# Means

Use a `for` loop, **not** a sum; see [the docs](https://docs.example.org/means).

1. Open the file.
2. Run this:

   ```python
   for x in range(3):
       print(x)
   ```

3. Read the table.

| Name | Runs | What it does with the numbers |
|:-----|-----:|:------------------------------|
| mean | 10 | adds them, and divides by their number |

The mean is \(\bar{x} = \frac{1}{n}\sum_{i=1}^{n} x_i\), and then

\[
\begin{aligned}
f(x) &= \int_0^1 \frac{x^2}{2}\,dx \\
     &= \frac{1}{6}
\end{aligned}
\]

- done
  - really
"""
CODE = 'def f(x):\n    if x:\n        return {"a": [1, 2]}\n\n    return None  # ends'
STEPS = """Steps:

1. Open the file.
2. Run this:

```python
for i in range(3):
    print(i)
```

- done
- really."""
TURNS = [
    {"role": "user", "text": "How many mills are there?\nCount them."},
    {
        "role": "assistant",
        "calls": [{"name": "search", "arguments": '{"query": "mills", "pages": [1, 2]}'}],
    },
    {"role": "tool", "name": "search", "text": '{"found": 3}'},
    {"role": "assistant", "text": "There are **three**:\n\n- one\n- two"},
]
SCALE = {"key": "support", "question": "Is it right?", "low": 1, "high": 3}
STUDY = {
    "slug": "chat",
    "title": "Chat answers",
    "blocks": [
        {"key": "whole", "task_type": "slider", "options": {"question": "How helpful is it?"}},
        {
            "key": "parts",
            "task_type": "likert",
            "options": {"per_sentence": True, "criteria": [SCALE]},
        },
    ],
    "instructions": "Read the answer.",
    "consent": {"version": "1", "text": "Taking part is voluntary."},
    "items": "items.jsonl",
    "overlap": 2,
    "rounds": [
        {
            "name": "main",
            "batch": {"normal": 4, "positive": 0, "negative": 0},
            "expected_minutes": 5,
            "pay": {"base": "1.00", "currency": "USD"},
        }
    ],
    "recruitment": {"panel": "invitation", "completion_code": "DONE-1"},
}


def chat_study(folder: Path, form: str) -> Study:
    sources: dict[str, dict[str, Any]] = {
        "chat": {"query": "What is a mean?\nExplain."},
        "code": {"document": CODE},
        "steps": {"query": "How?"},
        "turns": {"turns": TURNS},
    }
    texts = {"chat": CHAT, "code": CODE, "steps": STEPS, "turns": "It **counts**:\n\n- mills"}
    records: list[dict[str, Any]] = [
        {
            "source": {**source, "key": key},
            "items": [{"key": f"{key}/a", "system": "a", "text": texts[key]}],
        }
        for key, source in sources.items()
    ]
    folder.joinpath("items.jsonl").write_text("\n".join(map(json.dumps, records)))
    path = folder / "study.yaml"
    path.write_text(yaml.safe_dump(STUDY | {"text_form": form}))
    call_command("apply_study", str(path), verbosity=0)
    study = Study.objects.get(slug="chat")
    study.state = Study.State.OPEN
    study.save()
    join(study, make_user("keeper"), Member.Role.OWNER)
    return study


def picture(page: Page, name: str) -> None:
    if folder := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def lines(place: Locator) -> list[str]:
    """What is read, line by line, save the lines that only the width of the page makes."""
    return [line.rstrip() for line in place.inner_text().split("\n") if line.strip()]


def pages_of(page: Page, study: Study) -> dict[str, str]:
    """Each page of a worker's first batch: the unit's source, and which question it is."""
    batch = open_batch(page, study)
    for position in range(1, 5):
        answer_step(step_at(batch, position), {"value": ["40"]})
    units = batch.assignment_units.select_related("unit__source")
    return {
        f"{row.unit.source.key}-{part}": address(batch, row.position, part)
        for row in units
        for part in (1, 2)
    }


def test_a_chat_answer_has_the_same_lines_on_every_page(new_page: NewPage, tmp_path: Path) -> None:
    study = chat_study(tmp_path, "formulas")
    phone = new_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    ways = pages_of(phone, study)
    phone.goto(ways["chat-1"])
    seen = lines(phone.locator(".judged-text .written"))
    assert seen[:3] == [
        "Means",
        "Use a for loop, not a sum; see the docs (https://docs.example.org/means).",
        "Open the file.",
    ]
    assert "    print(x)" in seen
    assert "```" not in "".join(seen)
    assert phone.locator(".judged-text math").count() == 2
    assert phone.locator(".judged-text table td").all_inner_texts()[:2] == ["mean", "10"]
    for key, way in ways.items():
        phone.goto(way)
        picture(phone, f"phone-{key}")
        assert axe_violations(phone) == [], key
        assert not scrolls_sideways(phone), key

    desktop = new_page()
    ways = pages_of(desktop, study)
    for key, way in ways.items():
        desktop.goto(way)
        picture(desktop, f"desktop-{key}")
        assert violations_in_both_schemes(desktop) == [], key
        assert not scrolls_sideways(desktop), key
    desktop.goto(ways["chat-1"])
    assert lines(desktop.locator(".judged-text .written")) == seen

    unit = study.units.get(key="chat/a")
    sign_in(desktop, study.members.get().user)
    desktop.goto(reverse("desk:unit", args=["chat", unit.pk]))
    desktop.locator(".as-shown").first.evaluate("fold => { fold.open = true }")
    picture(desktop, "unit")
    assert lines(desktop.locator(".as-shown .judged-text .written")) == seen
    assert axe_violations(desktop) == []

    # A draw decides which of the two questions comes first; this one shows the text as a whole.
    question = unit.questions.get(block__key="whole")
    owner = study.members.get().user
    add_cases(study=study, questions=[question.pk], why=AdjudicationCase.Why.ASKED, by=owner)
    desktop.goto(reverse("desk:adjudication", args=["chat"]))
    follow(desktop.get_by_role("button", name="Take the next case"))
    picture(desktop, "adjudication")
    assert lines(desktop.locator(".judged-text .written")) == seen
    assert axe_violations(desktop) == []

    # What judges are shown, and what is handed on, are the lines as they were written.
    written = CHAT.strip().split("\n")
    prompt = question.block.task_type.prompt(question.typed_payload)
    assert "\n".join(f"    {line}".rstrip() for line in written) in prompt
    _, secret = make_token(owner=owner, name="test", scopes=tuple(Scope), days=1)
    reader = Client(headers={"Authorization": f"Bearer {secret}"})
    rows = reader.get(reverse("api:items-list", args=["chat"])).json()["results"]
    assert CHAT.strip() in [row["text"] for row in rows]
    write_export(study=study, format_name="label-studio", folder=tmp_path / "tasks")
    tasks = json.loads(tmp_path.joinpath("tasks", "tasks.json").read_text())
    assert CHAT.strip() in [task["data"]["text"] for task in tasks]
    call_command("export", "chat", "--format", "jsonl", "--out", str(tmp_path / "out"))
    rows = tmp_path.joinpath("out", "items.jsonl").read_text().splitlines()
    items = [item for row in map(json.loads, rows) for item in row.get("items", ())]
    [parts] = [item["sentences"] for item in items if item["key"] == "chat/a"]
    spaces = spaces_of([part.get("before") for part in parts])
    assert as_written([part["text"] for part in parts], spaces).split("\n") == written
