"""Settings of Jurybox: a module for each subject, chosen by the environment.

Without any environment it is *embedded*: SQLite and a broker of plain files under
``JURYBOX_DATA``. With ``DATABASE_URL`` and ``BROKER_URL`` it is *served*: PostgreSQL and Redis.

Each variable is described by a comment `# NAME (default): meaning.` above its first use; further
lines of it are indented. docs/settings.md is made from these, in the order of the imports here.
"""

# ruff: noqa: F403, I001 (all of each module; not sorted, but as the page of the settings has them)

from config.settings.environment import *
from config.settings.database import *
from config.settings.site import *
from config.settings.program import *
from config.settings.signing_in import *
from config.settings.messages import *
from config.settings.security import *
from config.settings.panels import *
from config.settings.files import *
from config.settings.hub import *
from config.settings.languages import *
from config.settings.background import *
from config.settings.judges import *
from config.settings.api import *
from config.settings.monitoring import *
