"""All estimates of a study, as its answers are now."""

from annotation.models import Study
from results.data.database import from_database
from results.data.options import Options
from results.metrics.engine import Estimates, estimate


def estimate_study(study: Study, options: Options) -> Estimates:
    return estimate(from_database(study, excluded=options.excluded), options)
