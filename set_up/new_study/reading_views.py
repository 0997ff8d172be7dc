"""New study from files of any form: upload them, see how they are read, change that, import."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from annotation.access import account
from annotation.views.htmx import HtmxRequest, redirect_htmx
from files.columns.names import holds_accounts
from files.errors import ImportFailure
from files.reading.model import Holds, Reading
from files.reading.proposal_parts import Counts
from jobs.models import JobState
from set_up.imports.jobs import ask_for_results, last_import
from set_up.imports.tool_files import remove_files
from set_up.models import NewStudy
from set_up.new_study.beginnings import asked_in_words, kinds, purposes
from set_up.new_study.file_forms import AskForm, FilesForm, ResultsForm, with_slug
from set_up.new_study.found_files import (
    Found,
    Looked,
    ask_about,
    decide,
    found_in,
    keep_found,
    look,
    name_results,
    suggested_title,
    take_files,
)
from set_up.new_study.part_forms import ReadingPartForm
from set_up.new_study.reading_forms import reading_forms, spellings
from set_up.new_study.upload_limit import refusal, refused_status
from set_up.new_study.views import (
    get_draft,
    need_permission,
    offered_files,
    unless_importing,
)

QUESTIONS, RESULTS, ASK = "questions", "results", "ask"
NOTHING = "No row contains an answer, an output, or a claim or query to write about."
# What the page says by itself of the reading as it stands.
_SAID_ANYWAY = {"one-answer", "personal", "taken-spellings", "table"}


@login_required
@require_http_methods(["GET", "POST"])
@unless_importing
def files(request: HttpRequest, draft_id: int = 0) -> HttpResponse:
    """Take files of any form, for a new draft or one that is there; the page of their reading
    follows."""
    need_permission(request)
    draft = get_draft(request, draft_id) if draft_id else NewStudy(owner=account(request))
    # Each is kept under a token of its own; two of one name are told apart, to remove both.
    tokens = [str(getattr(file, "digest", "")) for file in request.FILES.getlist("file")]
    if status := refused_status(request):
        remove_files(tokens)
        return refusal(request, status)
    form = FilesForm(offered_files(request), request.POST or None, request.FILES or None)
    if form.is_bound and form.is_valid():
        try:
            taken = take_files(draft=draft, uploads=form.chosen)
            page = "texts" if taken.file_name else "reading"
            return redirect(f"desk:new-study-{page}", taken.pk)
        except ImportFailure as failure:
            form.add_error("file", str(failure))
    remove_files(tokens)
    context = {"draft": draft, "files": form, "limit": settings.UPLOAD_MIB}
    status = 422 if form.errors else 200
    return render(request, "desk/new_study/files.html", context, status=status)


@login_required
@require_http_methods(["GET", "POST"])
@vary_on_headers("HX-Request")
@unless_importing
@redirect_htmx
def reading(request: HtmxRequest, draft_id: int) -> HttpResponse:
    """How the files of a draft are read, and every part of that to be changed; with it the study is
    made. htmx gets the part below the title."""
    draft = get_draft(request, draft_id)
    if not draft.uploads:
        return redirect("desk:new-study-files", draft.pk)
    try:
        page = _Page(request, draft)
        if request.method == "POST":
            page.take()
        return page.answer()
    except ImportFailure as failure:
        context = {"draft": draft, "gone": str(failure)}
        return render(request, "desk/new_study/reading.html", context, status=422)


class _Page:
    """One request for the page of a reading."""

    def __init__(self, request: HtmxRequest, draft: NewStudy) -> None:
        self._request, self._draft = request, draft
        self._found = found_in(draft)
        self._looked: Looked | None = None
        self._forms: list[ReadingPartForm] | None = None
        self._part = request.POST.get("part", "")
        self._leads_to: HttpResponse | None = None
        self._failure = ""
        self._results = ResultsForm(initial={"title": suggested_title(draft, self._found)})
        self._ask = AskForm(asks=draft.asks)

    @property
    def _seen(self) -> Looked:
        if self._looked is None:
            self._looked = look(self._draft, self._found)
        return self._looked

    def take(self) -> None:
        """Do what was posted."""
        if self._part == QUESTIONS:
            self._found = decide(self._draft, self._found, self._decided())
        elif self._part == "proposed":
            self._change(self._found.proposal.reading)
        elif self._part == "spellings":
            known = self._found.reading.systems
            joined = {**known, **spellings(self._seen.read.systems, known)}
            self._change(self._found.reading.model_copy(update={"systems": joined}))
        elif self._part == RESULTS:
            self._make()
        elif self._part == ASK:
            self._ask_anew()
        else:
            self._take_form()

    def _decided(self) -> Mapping[str, str]:
        """Question -> choice, of those that were posted and exist."""
        posted = {q.key: self._request.POST.get(f"question-{q.key}") for q in self._found.questions}
        return {
            q.key: choice.key
            for q in self._found.questions
            for choice in q.choices
            if choice.key == posted[q.key]
        }

    def _change(self, to: Any) -> None:
        self._found = keep_found(self._draft, self._found, reading=to)
        self._looked = None

    def _take_form(self) -> None:
        forms = self._forms_of(self._request.POST)
        form = next((form for form in forms if form.name == self._part), None)
        changed = form.changed(self._found.reading) if form is not None else None
        if changed is None:
            self._forms = forms
        else:
            self._change(changed)

    def _forms_of(self, data: Any) -> list[ReadingPartForm]:
        seen = self._seen
        return reading_forms(self._found.reading, seen.tables, seen.read.words, data)

    def _make(self) -> None:
        form = self._results = ResultsForm(with_slug(self._request.POST))
        self._failure = self._reason_against()
        if self._failure or not form.is_valid():
            return
        try:
            name_results(draft=self._draft, **form.cleaned_data)
            job = ask_for_results(draft=self._draft, by=account(self._request))
            self._leads_to = redirect("desk:import", job.pk)
        except ImportFailure as failure:
            self._failure = str(failure)

    def _ask_anew(self) -> None:
        form = self._ask = AskForm(asks=self._draft.asks, data=self._request.POST)
        self._failure = self._reason_against()
        if not self._failure and form.is_valid():
            kind = form.cleaned_data["kind"]
            ask_about(draft=self._draft, found=self._found, kind=kind)
            self._leads_to = redirect("desk:new-study-texts", self._draft.pk)

    def _reason_against(self) -> str:
        """Why no study can be made of the reading as it stands."""
        if self._found.proposal.questions:
            return "Answer the questions first."
        seen = self._seen.read
        return seen.failure or ("" if seen.rows else NOTHING)

    def answer(self) -> HttpResponse:
        """The page, or where the browser goes next."""
        if self._leads_to is not None:
            return self._leads_to
        errors = [form for form in (self._results, self._ask, *self._shown_forms) if form.errors]
        status = 422 if self._failure or errors else 200
        name = "_reading" if self._request.htmx else "reading"
        page = f"desk/new_study/{name}.html"
        return render(self._request, page, self._context(), status=status)

    @property
    def _shown_forms(self) -> list[ReadingPartForm]:
        if self._forms is None:
            self._forms = self._forms_of(None)
        return self._forms

    def _context(self) -> dict[str, Any]:
        found, seen = self._found, self._seen
        is_open = bool(found.proposal.questions)
        has_material = found.reading.has_texts or found.reading.are_sources
        return {
            "draft": self._draft,
            "found": found,
            "questions": _questions(found, seen),
            "read": seen.read,
            "has_criteria": any(each.criterion for each in found.reading.answers),
            "sentence": seen.sentence,
            "spellings": spellings(seen.read.systems, found.reading.systems),
            "part_forms": self._shown_forms,
            "part": self._part,
            "failure": self._failure or self._last_failure(),
            "is_open": is_open,
            "shows_nothing": is_open and not seen.read.rows,
            "results": self._results if found.reading.answers and not is_open else None,
            "ask": self._ask if has_material and not is_open else None,
            "asked": asked_in_words(self._draft.keys),
            "purposes": purposes(),
            "kinds": kinds(),
            "has_accounts": _has_accounts(found.reading, seen),
            "remarks": self._remarks(),
            "kept": _columns_that(found, Holds.KEPT),
            "personal": _columns_that(found, Holds.PERSONAL),
        }

    def _remarks(self) -> list[str]:
        found, seen = self._found.proposal.remarks, self._seen.tables
        notes = (note for table in seen for note in table.notes)
        said = (remark.text for remark in found if remark.key not in _SAID_ANYWAY)
        return list(dict.fromkeys((*said, *notes)))

    def _last_failure(self) -> str:
        """Why the last import of these files has made nothing, until something is changed."""
        job = None if self._request.method == "POST" else last_import(self._draft.pk)
        return job.reason if job is not None and job.state == JobState.FAILED else ""


def _questions(found: Found, seen: Looked) -> list[Any]:
    """(question, [(choice, what it makes)], the key of the choice that was taken)."""
    return [
        (
            question,
            [
                (choice, makes if isinstance(makes, str) else counted(makes))
                for choice, makes in zip(question.choices, seen.choices[question.key], strict=True)
            ],
            found.decided.get(question.key, ""),
        )
        for question in found.questions
    ]


def counted(counts: Counts) -> str:
    """What a reading finds, in one line."""
    parts = [
        ngettext("%(n)s source", "%(n)s sources", counts.sources) % {"n": f"{counts.sources:,}"},
        ngettext("%(n)s system", "%(n)s systems", counts.systems) % {"n": f"{counts.systems:,}"},
        ngettext("%(n)s unit", "%(n)s units", counts.units) % {"n": f"{counts.units:,}"},
        ngettext("%(n)s criterion", "%(n)s criteria", counts.criteria) % {"n": counts.criteria},
        ngettext("%(n)s person", "%(n)s people", counts.raters) % {"n": f"{counts.raters:,}"},
        ngettext("%(n)s judge", "%(n)s judges", counts.judges) % {"n": f"{counts.judges:,}"},
        ngettext("%(n)s answer", "%(n)s answers", counts.answers) % {"n": f"{counts.answers:,}"},
    ]
    found = ", ".join(part for part in parts if not part.startswith("0 ")) or gettext("nothing")
    return gettext("%(found)s in the first rows") % {"found": found} if counts.sampled else found


def _has_accounts(reading: Reading, seen: Looked) -> bool:
    """Whether people are told by accounts, for which they get other names."""
    return any(
        column.holds is Holds.RATER and holds_accounts(column.column, sample.values)
        for table, shown in zip(reading.tables, seen.tables, strict=True)
        for column, sample in zip(table.columns, shown.columns, strict=True)
    )


def _columns_that(found: Found, holds: Holds) -> list[str]:
    columns = (each for table in found.reading.tables for each in table.columns)
    return list(dict.fromkeys(each.column for each in columns if each.holds is holds))
