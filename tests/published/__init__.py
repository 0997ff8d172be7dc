"""Published tables that come out here as they were printed: one case per data set."""

from tests.published.agreement import DIALSUMMEVAL, KRIPPENDORFF, QAGS, SFRES
from tests.published.cases import Case
from tests.published.judges import ALT_TEST, VITAL
from tests.published.scores import FCEXP, REPROHUM, UTILITY

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
