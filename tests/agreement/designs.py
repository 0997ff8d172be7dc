"""All kinds of studies that the table of docs/statistics.md counts."""

from tests.agreement.raters.designs import DESIGNS as JUDGES
from tests.agreement.reliability.designs import DESIGNS as AGREEMENT
from tests.agreement.scores.designs import DESIGNS as SCORES
from tests.agreement.sequences.designs import DESIGNS as LOOKED_AT
from tests.agreement.systems.correlations import DESIGNS as CORRELATIONS
from tests.agreement.systems.designs import DESIGNS as SYSTEMS
from tests.agreement.systems.preferences import DESIGNS as PREFERENCES

DESIGNS = (*SYSTEMS, *PREFERENCES, *SCORES, *AGREEMENT, *JUDGES, *CORRELATIONS, *LOOKED_AT)
