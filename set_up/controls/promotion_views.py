"""The page that makes a control of a decided unit."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods

from annotation.access import Role, account, get_study
from annotation.models import GoldAnswer, Round, Study, Unit
from annotation.views.filled_form import draw_answer
from set_up.controls.pages import styles_of
from set_up.controls.promotion import (
    CannotPromote,
    answers_of_people,
    promote_to_control,
    why_not,
)


class PromotionForm(forms.Form):
    """The kind and the round of the new control."""

    kind = forms.ChoiceField(
        label="Kind",
        choices=[("positive", "Positive: there is something to find"), ("negative", "Negative")],
    )
    round = forms.ModelChoiceField(Round.objects.none(), label="Round", empty_label=None)

    def __init__(self, study: Study, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rounds = self.fields["round"]
        assert isinstance(rounds, forms.ModelChoiceField)
        rounds.queryset = study.rounds.all()


@login_required
@require_http_methods(["GET", "POST"])
def promote(request: HttpRequest, slug: str, unit_id: int) -> HttpResponse:
    """Look at the gold answer as workers will be measured by it, then make it a control."""
    study = get_study(request.user, slug, Role.EDITOR)
    unit = get_object_or_404(study.units.select_related("source", "study"), pk=unit_id)
    form = PromotionForm(study, request.POST if request.method == "POST" else None)
    if form.is_valid():
        data = form.cleaned_data
        try:
            control = promote_to_control(
                unit=unit,
                kind=Unit.Role(data["kind"]),
                round_=data["round"],
                by=account(request),
                now=timezone.now(),
            )
        except CannotPromote as why:
            messages.error(request, str(why))
        else:
            messages.success(request, f"{control.key} is a control now.")
            return redirect("desk:control", slug, control.pk)
    gold = (
        GoldAnswer.objects.filter(question__unit=unit).current().select_related("question__block")
    )
    context = {
        "study": study,
        "unit": unit,
        "form": form,
        "why_not": why_not(unit),
        "answers": answers_of_people(unit),
        "parts": [(row, _gold_shown(row, study)) for row in gold],
        "styles": styles_of(study),
    }
    return render(request, "desk/promote.html", context)


def _gold_shown(gold: GoldAnswer, study: Study) -> SafeString:
    prefix = f"gold-{gold.pk}"
    answer = gold.typed_answer
    return draw_answer(gold.question, answer, prefix=prefix, text_form=study.text_form)
