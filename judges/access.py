"""The runs and judges that the pages of a study may show; Http404 for any other."""

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from annotation.models import Study
from judges.definitions.versions import BadJudge, UnknownJudge, judge_for
from judges.models import Judge, JudgeRun


def get_run(study: Study, run_id: int) -> JudgeRun:
    """The run of that number, if it is of the study."""
    return get_object_or_404(study.judge_runs.select_related("judge", "requested_by"), pk=run_id)


def get_judge(study: Study, name: str, version: int) -> Judge:
    """A version of one of the study's own judges, or of a built-in one."""
    try:
        return judge_for(study, f"{name}@{version}")
    except (BadJudge, UnknownJudge) as error:
        raise Http404(_("No such judge in this study.")) from error
