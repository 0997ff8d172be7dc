"""The study at Prolific as it was read last, and both sides of each submission."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest
from django.utils import timezone

from annotation.access import Role, get_role
from annotation.models import PanelStudy, Study
from annotation.panels.prolific_api.connection import is_connected, token_name
from annotation.panels.prolific_api.money import whole_units
from recruitment import confirmations, drafts, publication
from recruitment.forms import DecisionForm
from recruitment.pages import MAY_NOT, may_pay
from recruitment.table import LOOK, READY, counts_of, missing_there, rows_of

PAGE = 100


def prolific_context(request: HttpRequest, study: Study) -> dict[str, Any]:
    """What a page says of Prolific; little where the study does not recruit there."""
    made_ones = list(study.panel_studies.exclude(state=PanelStudy.State.GIVEN_UP))
    made = next((one for one in made_ones if str(one.pk) == request.GET.get("at")), None)
    made = made or next(iter(made_ones), None)
    context: dict[str, Any] = {
        "study": study,
        "owns": may_pay(request, study),
        "may_not": "" if get_role(request.user, study) != Role.OWNER else MAY_NOT,
        "made": made,
        "made_ones": made_ones,
        "connected": is_connected(study),
        "token_name": token_name(study),
        "uses_prolific": study.recruitment.get("panel") == publication.PANEL,
    }
    if context["uses_prolific"] and made is None:
        context["obstacles"] = drafts.obstacles(study)
    if made is not None:
        made.study = study
        context |= _of_made(request, made)
    return context


def _of_made(request: HttpRequest, made: PanelStudy) -> dict[str, Any]:
    """What the page shows of one study at Prolific."""
    now, shown = timezone.now(), request.GET.get("show", "")
    rows = rows_of(made)
    todo = [row for row in rows if row.advice.kind in (READY, LOOK)]
    chosen = todo if shown == "todo" else rows
    if shown not in ("", "todo"):
        chosen = [row for row in rows if row.submission.status == shown]
    payments = list(made.payments.all()[:20])
    return {
        "submissions": Paginator(chosen, PAGE).get_page(request.GET.get("submissions")),
        "query": f"at={made.pk}&show={shown}",
        "shown": shown,
        "counts": counts_of(made),
        "n_rows": len(rows),
        "n_todo": len(todo),
        "missing": missing_there(made),
        "moves": publication.moves(made),
        "cost": money(made.cost_minor, made),
        "reward": money(made.reward_minor, made),
        "payments": [
            (one, money(one.total_minor, made), confirmations.is_uncertain(one, now))
            for one in payments
        ],
        "decision": DecisionForm(),
    }


def money(minor: int | None, made: PanelStudy) -> str:
    """An amount with the currency of the study at Prolific; empty where there is none."""
    currency = made.currency or "USD"
    return "" if minor is None else f"{whole_units(minor, currency)} {made.currency}".strip()
