"""The pages of the set-up: what is missing, and a small form for each part of the study file."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.access import Role, account, get_role, get_study, may
from annotation.models import Study, Unit, log_change
from annotation.queries.metadata import columns_for_groups
from annotation.rounds.opening import gaps_before_opening
from annotation.views.moved import posted_from
from files.errors import ImportFailure
from imports.preparation.targets import blocks_to_prepare
from imports.study_file.judge_entries import entry_name
from imports.study_file.writing import study_keys
from set_up.steps.checklist import checklist
from set_up.steps.forms import KeysForm
from set_up.steps.imported import (
    counts_in_words,
    oddities_in_words,
    origin_in_words,
    texts_in_words,
)
from set_up.steps.keys_forms import EthicsForm, IntroductionForm, MethodForm, TextsForm
from set_up.steps.pages import keys_page
from set_up.steps.picks import (
    PickForm,
    answer_parts,
    pick_units,
    typed_answers,
    undo_pick,
    units_to_pick,
)
from set_up.steps.questions import QuestionsForm
from set_up.steps.review_points import UNPAID, review_points
from set_up.steps.rounds import RoundsForm
from set_up.steps.samples import drawn_sample, form_files, sample_text
from set_up.study_files.application import JustChanged
from set_up.study_files.keys import change_keys, version_of_keys
from set_up.study_files.typed import keep_form_input


@login_required
@require_GET
def set_up(request: HttpRequest, slug: str) -> HttpResponse:
    """What the study asks, of what material, under which rules, and what it lacks before it
    opens."""
    study = get_study(request.user, slug)
    is_set_up_here = not (study.has_published_figures or study.is_finished_data)
    gaps = gaps_before_opening(study) if is_set_up_here else []
    points = review_points(study) if is_set_up_here else []
    context = {
        "study": study,
        "role": get_role(request.user, study),
        "may_edit": may(request.user, study, Role.EDITOR),
        "blocks": [] if study.has_published_figures else study.blocks.all(),
        "entries": checklist(study, gaps) if is_set_up_here else [],
        "lacks": bool(gaps),
        "bare_sources": study.sources.filter(items=None).count() if is_set_up_here else 0,
        "points": points,
        "asks": any(point.asks for point in points),
        "prepares": bool(blocks_to_prepare(study)),
        "subsets": study.subsets.count(),
        "material_counts": counts_in_words(study),
        "odd": oddities_in_words(study),
        "origin": origin_in_words(study),
        "word": texts_in_words(study),
    }
    return render(request, "desk/set_up.html", context)


@login_required
@require_POST
def unpaid(request: HttpRequest, slug: str) -> HttpResponse:
    """Say that nobody is paid, and that this is meant."""
    study = get_study(request.user, slug, Role.EDITOR)
    log_change(study=study, by=account(request), action=UNPAID)
    messages.success(request, "Noted: the work in this study is unpaid.")
    return redirect("desk:set-up", slug)


@keep_form_input
@login_required
@require_http_methods(["GET", "POST"])
def texts(request: HttpRequest, slug: str) -> HttpResponse:
    """What workers read and are asked before their work: texts, ethics, tips and questions."""
    return _texts_page(request, slug, "texts")


@posted_from("desk:set-up-texts")
@keep_form_input
@login_required
@require_POST
def ethics(request: HttpRequest, slug: str) -> HttpResponse:
    """What the consent page names."""
    return _texts_page(request, slug, "ethics")


@posted_from("desk:set-up-texts")
@keep_form_input
@login_required
@require_POST
def introduction(request: HttpRequest, slug: str) -> HttpResponse:
    """Tips, questions about the instructions, and what workers are told."""
    return _texts_page(request, slug, "introduction")


def _texts_page(request: HttpRequest, slug: str, sent: str) -> HttpResponse:
    study = get_study(request.user, slug, Role.EDITOR)
    keys = study_keys(study)
    kinds: dict[str, type[KeysForm]] = {
        "texts": TextsForm,
        "ethics": EthicsForm,
        "introduction": IntroductionForm,
    }
    forms = {
        name: kind(keys, (request.POST or None) if name == sent else None)
        for name, kind in kinds.items()
    }
    context = {
        "shown": shown_texts(forms["texts"]),
        "sample": sample_text(study),
        "text_form": forms["texts"]["text_form"].value(),
    }
    return keys_page(request, study, forms[sent], "desk/set_up/texts.html", **context, **forms)


def shown_texts(form: Any) -> list[tuple[str, str]]:
    """(title, text) of every text in Markdown that the form holds, as typed."""
    names = ("content_warning", "instructions", "consent", "debrief")
    there = [form[name] for name in names if name in form.fields]
    return [(str(field.label), str(field.value() or "")) for field in there]


@login_required
@require_POST
def texts_preview(request: HttpRequest) -> HttpResponse:
    """Typed texts as workers would read them; nothing is saved."""
    form = TextsForm({}, request.POST)
    context = {
        "shown": shown_texts(form),
        "sample": request.POST.get("sample", ""),
        "text_form": request.POST.get("text_form"),
    }
    return render(request, "desk/set_up/_texts_preview.html", context)


@keep_form_input
@login_required
@require_http_methods(["GET", "POST"])
def questions(request: HttpRequest, slug: str) -> HttpResponse:
    """What is asked: the options of every block, with a unit as workers would see it."""
    study = get_study(request.user, slug, Role.EDITOR)
    form = QuestionsForm(study_keys(study), request.POST or None)
    context = {"sample": drawn_sample(study, form.blocks), **form_files(form.blocks)}
    return keys_page(request, study, form, "desk/set_up/questions.html", **context)


@login_required
@require_POST
def questions_preview(request: HttpRequest, slug: str) -> HttpResponse:
    """The typed questions as a worker would see them; nothing is saved."""
    study = get_study(request.user, slug, Role.EDITOR)
    form = QuestionsForm(study_keys(study), request.POST)
    context = {"form": form, "sample": drawn_sample(study, form.blocks)}
    return render(request, "desk/set_up/_sample.html", context)


@keep_form_input
@login_required
@require_http_methods(["GET", "POST"])
def rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """Rounds, answers per unit and pay, with what that costs."""
    study = get_study(request.user, slug, Role.EDITOR)
    form = RoundsForm(study_keys(study), request.POST or None)
    return keys_page(request, study, form, "desk/set_up/rounds.html", **form.forecast(study))


@login_required
@require_POST
def rounds_cost(request: HttpRequest, slug: str) -> HttpResponse:
    """What the typed rounds would cost; nothing is saved."""
    study = get_study(request.user, slug, Role.EDITOR)
    form = RoundsForm(study_keys(study), request.POST)
    return render(request, "desk/set_up/_cost.html", {"study": study, **form.forecast(study)})


@keep_form_input
@login_required
@require_http_methods(["GET", "POST"])
def method(request: HttpRequest, slug: str) -> HttpResponse:
    """Which units are asked about, how batches are made, and what is to be concluded."""
    study = get_study(request.user, slug, Role.EDITOR)
    columns = columns_for_groups(study)
    form = MethodForm(study_keys(study), request.POST or None, columns=columns)
    form.offer("setting", study.subsets.order_by("name").values_list("name", flat=True))
    return keys_page(request, study, form, "desk/set_up/method.html")


@posted_from("judges:runs")
@login_required
@require_POST
def judges(request: HttpRequest, slug: str) -> HttpResponse:
    """Which of the listed judges the study names; others that it names stay."""
    study = get_study(request.user, slug, Role.EDITOR)
    keys, listed = study_keys(study), request.POST.getlist("listed")
    chosen = [name for name in request.POST.getlist("judges") if name in listed]
    named = {entry_name(entry): entry for entry in keys.get("judges", ())}
    kept = {name: entry for name, entry in named.items() if name in chosen or name not in listed}
    changed = {"judges": list((kept | {name: named.get(name, name) for name in chosen}).values())}
    version = version_of_keys(keys, changed)
    try:
        change_keys(study=study, keys=changed, version=version, keep=True, by=account(request))
    except (ImportFailure, JustChanged) as failure:
        messages.error(
            request, str(failure) or ("Somebody else just changed the study. Please try again.")
        )
    else:
        messages.success(request, "Saved.")
    # A draft goes on with its checklist.
    return redirect("desk:set-up" if study.state == Study.State.DRAFT else "judges:runs", slug)


@keep_form_input
@login_required
@require_http_methods(["GET", "POST"])
def pick(request: HttpRequest, slug: str, unit_id: int) -> HttpResponse:
    """One unit with the worker's own form: the answer that is given here is the right one."""
    study = get_study(request.user, slug, Role.EDITOR)
    unit = get_object_or_404(units_to_pick(study, ""), pk=unit_id)
    data = request.POST or None
    form, parts = PickForm(study, unit, data), answer_parts(unit, data)
    if data is not None:
        if data.get("go") == "put-back":
            _put_back(request, study, unit)
            return redirect("desk:controls", slug)
        if _picked(request, study, unit, form, parts):
            return redirect("desk:controls", slug)
    kinds = [part.question.block.task_type for part in parts]
    context = {
        "study": study,
        "unit": unit,
        "form": form,
        "parts": parts,
        "styles": list(dict.fromkeys(file for kind in kinds for file in kind.styles)),
        "scripts": list(dict.fromkeys(file for kind in kinds for file in kind.scripts)),
    }
    status = 200 if data is None else 422
    return render(request, "desk/set_up/pick.html", context, status=status)


def _picked(
    request: HttpRequest, study: Study, unit: Unit, form: PickForm, parts: list[Any]
) -> bool:
    answers = typed_answers(parts)
    complete = all(part.form.is_valid() for part in parts if part.form.is_bound)
    if not form.is_valid() or not complete:
        return False
    if not answers:
        form.add_error(None, "Answer the question below: your answer is the right one.")
        return False
    try:
        placed = pick_units(study=study, picks=[form.pick(answers)], by=account(request))
    except (ImportFailure, JustChanged) as failure:
        form.add_error(
            None,
            getattr(failure, ("reason"), "")
            or "Somebody else changed the study. Please try again.",
        )
        return False
    more = " Every batch of its round now holds one such control." if placed else ""
    messages.success(request, f"Saved: {unit.key}.{more}")
    return True


def _put_back(request: HttpRequest, study: Study, unit: Unit) -> None:
    try:
        undo_pick(study=study, unit=unit, by=account(request))
    except (ImportFailure, JustChanged) as failure:
        messages.error(request, str(failure))
    else:
        messages.success(request, f"{unit.key} is a normal unit again.")
