"""The example study, made for an account that wants to look around first."""

from collections.abc import Iterator
from itertools import count

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.backends import MAKE_STUDIES
from annotation.access import account
from annotation.models import Study, User, log_change
from files.skipped import SkippedRecords
from imports.answers.importing import import_answers
from imports.demonstration import begin_demonstration
from imports.study_file.keys import read_keys
from imports.uploads import STUDY_FILE, keep_upload
from set_up.study_files.application import make_study

FOLDER = settings.BASE_DIR / "examples" / "demo"
_ANSWERS = "answers.jsonl"


def there_is_an_example() -> bool:
    """Whether its files were installed."""
    return (FOLDER / _ANSWERS).is_file()


@transaction.atomic
def make_example(*, by: User) -> Study:
    """The example study as a draft of its own, with the answers of made-up people."""
    keys = read_keys(FOLDER / STUDY_FILE)
    keys["slug"] = next(slug for slug in _slugs() if not _is_taken(slug))
    keys["title"] = f"Example: {str(keys['title']).partition(': ')[2]}"
    files = {name: keep_upload([(FOLDER / name).read_bytes()]) for name in keys["items"]}
    study = make_study(keys=keys, files=files, by=by, skipped=SkippedRecords())
    begin_demonstration(study=study, by=by)
    counts = import_answers(study=study, path=FOLDER / _ANSWERS)
    detail = {"answers": sum(counts.values()), "raters": len(counts)}
    log_change(study=study, by=by, action="answers.imported", detail=detail)
    return study


def _slugs() -> Iterator[str]:
    yield "example"
    yield from (f"example-{n}" for n in count(2))


def _is_taken(slug: str) -> bool:
    return Study.with_unfinished.filter(slug=slug).exists()


@login_required
@require_POST
def load_example(request: HttpRequest) -> HttpResponse:
    """The example study for whoever may make studies."""
    user = account(request)
    if not user.has_perm(MAKE_STUDIES):
        raise PermissionDenied("Ask the operator for permission to create studies.")
    if not there_is_an_example():
        raise Http404("The example was not installed.")
    study = make_example(by=user)
    messages.success(
        request,
        "The example is yours, as a draft. Five people made up by a program have answered "
        "it: look at Results, or try it as a worker.",
    )
    return redirect(study)
