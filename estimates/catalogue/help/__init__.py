"""The range of each metric and when not to use it: the `help` of the catalogue's entries.

Apart from them because of its length. An entry may have its own.
"""

from estimates.catalogue.help.agreement import HELP_ON_AGREEMENT
from estimates.catalogue.help.judges import HELP_ON_JUDGES
from estimates.catalogue.help.scores import HELP_ON_SCORES

HELP = {**HELP_ON_AGREEMENT, **HELP_ON_JUDGES, **HELP_ON_SCORES}
