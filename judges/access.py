"""The runs and judges that the pages of a study may show; Http404 for any other."""

from contextlib import suppress

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from annotation.models import Study
from judges.definitions.versions import BadJudge, UnknownJudge, study_judge
from judges.models import Judge, JudgeRun


def get_run(study: Study, run_id: int) -> JudgeRun:
    """The run of that number, if it is of the study."""
    return get_object_or_404(study.judge_runs.select_related("judge", "requested_by"), pk=run_id)


def get_judge(study: Study, name: str, version: int) -> Judge:
    """A judge that has run in the study or that it names, or the current built-in one."""
    judge = Judge.objects.filter(name=name, version=version, runs__study=study).first()
    if judge is None:
        with suppress(BadJudge, UnknownJudge):
            judge = study_judge(study, name)
    if judge is None or judge.version != version:
        raise Http404(_("No such judge in this study."))
    return judge
