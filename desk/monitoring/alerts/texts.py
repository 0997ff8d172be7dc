"""What messages about alerts say."""

import json
from typing import Any

from desk.models import Delivery
from desk.monitoring.alerts.contents import told_of
from desk.monitoring.alerts.events import name_of
from desk.monitoring.alerts.kinds import title_of

Event = Delivery.Event
TEST = "This is a test. Messages about this study's alerts arrive here."


def subject_of(delivery: Delivery) -> str:
    """The subject of an e-mail, in one line whatever the study's title holds."""
    kind = "Test" if delivery.alert is None else title_of(delivery.alert.kind)
    ended = " (ended)" if delivery.event == Event.ENDED else ""
    return " ".join(f"{delivery.study.title}: {kind}{ended}".split())[:200]


def text_of(delivery: Delivery) -> str:
    """The text of an e-mail."""
    study, alert = delivery.study, delivery.alert
    lines = [f"Study: {study.title} ({study.slug})", ""]
    if alert is None:
        lines.append(TEST)
    else:
        lines += [
            title_of(alert.kind),
            alert.message,
            "",
            f"Since {alert.since:%Y-%m-%d %H:%M} UTC.",
        ]
        if alert.ended_at is not None and delivery.event == Event.ENDED:
            lines.append(f"It ended on {alert.ended_at:%Y-%m-%d %H:%M} UTC.")
    lines += ["", "Settings of these messages: the page Alerts of the study."]
    return "\n".join(lines) + "\n"


def body_of(delivery: Delivery) -> bytes:
    """The body that a webhook gets: JSON, the same at every try."""
    study = delivery.study
    content: dict[str, Any] = {
        "id": str(delivery.key),
        "event": name_of(delivery.event),
        "study": study.slug,
        "title": study.title,
        "made_at": delivery.made_at.isoformat(timespec="seconds"),
        **told_of(delivery),
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
