"""Published tables that come out here as they were printed: one case per data set."""

from results.reproduced.agreeing import DIALSUMMEVAL, KRIPPENDORFF, QAGS, SFRES
from results.reproduced.cases import Case
from results.reproduced.judging import ALT_TEST, VITAL
from results.reproduced.scoring import FCEXP, REPROHUM, UTILITY

# A further data set is one entry more.
CASES: tuple[Case, ...] = (
    KRIPPENDORFF,
    QAGS,
    SFRES,
    DIALSUMMEVAL,
    VITAL,
    ALT_TEST,
    UTILITY,
    FCEXP,
    REPROHUM,
)
