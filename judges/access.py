"""Which runs and judges the pages of a study show; 404 for any other."""

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from annotation.models import Study
from judges.definitions.versions import BadJudge, UnknownJudge, named_in
from judges.models import Judge, JudgeRun


def get_run(study: Study, run_id: int) -> JudgeRun:
    """A run of the study."""
    return get_object_or_404(study.judge_runs.select_related("judge", "requested_by"), pk=run_id)


def get_judge(study: Study, name: str, version: int) -> Judge:
    """A judge that ran in the study, or one that the study names, or a built-in one as it is."""
    found = Judge.objects.filter(name=name, version=version, runs__study=study).first()
    if found is None:
        try:
            found = named_in(study, name)
        except (BadJudge, UnknownJudge):
            found = None
    if found is None or found.version != version:
        raise Http404(_("No such judge in this study."))
    return found
