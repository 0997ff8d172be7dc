"""What messages about alerts say."""

import json
from typing import Any

from django.urls import reverse

from accounts.site import address_of
from alerts.contents import details_of, judge_of
from alerts.events import name_of
from alerts.kinds import BY_NAME, title_of
from alerts.models import Delivery
from annotation.models import Study

Event = Delivery.Event
ALERTS = "desk:alerts"
PAGES = {
    Event.ANSWERS.value: "desk:study",
    Event.ROUND.value: "desk:study",
    Event.RUN.value: "judges:runs",
    Event.EXPORT.value: "desk:exports",
    Event.DRIFT.value: "judges:runs",
}
TEST = "This is a test. Messages about this study's alerts arrive here."


def subject_of(delivery: Delivery) -> str:
    """The subject of an e-mail, in one line whatever the study's title holds."""
    kind = "Test" if delivery.alert is None else title_of(delivery.alert.kind)
    ended = " (ended)" if delivery.event == Event.ENDED else ""
    return " ".join(f"{_study(delivery).title}: {kind}{ended}".split())[:200]


def text_of(delivery: Delivery) -> str:
    """The text of an e-mail."""
    study, alert = _study(delivery), delivery.alert
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
    if link := link_of(delivery):
        lines += ["", link]
    where = address_of(_page(delivery, ALERTS)) or "the page Alerts of the study"
    lines += ["", f"Settings of these messages: {where}"]
    return "\n".join(lines) + "\n"


def link_of(delivery: Delivery) -> str:
    """The page where something can be done about an alert, or that shows what the message is
    about; empty without SITE_URL."""
    if delivery.study is None:
        return address_of(reverse("desk:webhook"))
    if (judge := judge_of(delivery)) is not None:
        place = [delivery.study.slug, judge.name, judge.version]
        return address_of(f"{reverse('judges:judge', args=place)}#drift")
    kind = BY_NAME.get(delivery.alert.kind) if delivery.alert else None
    page = kind.page if kind else PAGES.get(delivery.event, ALERTS)
    return address_of(_page(delivery, page))


def _page(delivery: Delivery, view: str) -> str:
    return reverse(view, args=[_study(delivery).slug])


def _study(delivery: Delivery) -> Study:
    assert delivery.study is not None  # all but a test of an account's webhook are of one
    return delivery.study


def body_of(delivery: Delivery) -> bytes:
    """The body that a webhook gets: JSON, the same at every try."""
    study = delivery.study
    content: dict[str, Any] = {
        "id": str(delivery.key),
        "event": name_of(delivery.event),
        "study": study and study.slug,
        "title": study and study.title,
        "made_at": delivery.made_at.isoformat(timespec="seconds"),
        **details_of(delivery),
    }
    if link := link_of(delivery):
        content["link"] = link
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
