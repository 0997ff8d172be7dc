"""Tasks carry the id of the request that asked for them, and have one of their own."""

from contextlib import ExitStack
from typing import Any

from celery.signals import before_task_publish, task_postrun, task_prerun

from telemetry.context import bound, current
from telemetry.traces import span

HEADER = "asked_by"
_under_way: dict[str, ExitStack] = {}


def send_along(headers: dict[str, Any] | None = None, **_more: Any) -> None:
    """Put the id of the request under way into the message."""
    if headers is not None and "request" in current():
        headers[HEADER] = current()["request"]


def begin(task_id: str, task: Any, **_more: Any) -> None:
    """Bind the ids of a task for as long as it runs."""
    ids = {"task": task_id}
    if asked_by := getattr(task.request, HEADER, None):
        ids["request"] = str(asked_by)
    stack = _under_way[task_id] = ExitStack()
    stack.enter_context(bound(**ids))
    stack.enter_context(span(f"task {task.name}"))


def end(task_id: str, **_more: Any) -> None:
    """The task is over."""
    if (stack := _under_way.pop(task_id, None)) is not None:
        stack.close()


def connect() -> None:
    """Have Celery tell of messages and tasks in this process."""
    before_task_publish.connect(send_along)
    task_prerun.connect(begin)
    task_postrun.connect(end)
