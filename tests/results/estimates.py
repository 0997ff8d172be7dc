"""All estimates of a study, as its answers are now."""

from annotation.models import Study
from estimates.data.database import from_database
from estimates.data.options import Options
from estimates.engine.estimation import Estimates, estimate


def estimate_study(study: Study, options: Options) -> Estimates:
    return estimate(from_database(study, excluded=options.excluded), options)
