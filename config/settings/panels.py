"""Workers, and the panels that they come from."""

from config.settings.environment import env

# --- Workers and panels ---------------------------------------------------------------------------

# WITHDRAWAL_HOURS (24): how long a worker can take a withdrawal back. The answers are out of
#   results and exports at once, and erased for good after these hours; 0 erases them at once.
WITHDRAWAL_HOURS = max(0, env.int("WITHDRAWAL_HOURS", default=24))

# MTURK_ORIGINS (the platform's own five): origins that may frame a study on Mechanical Turk and
#   take the form at its end.
MTURK_ORIGINS = env.list(
    "MTURK_ORIGINS",
    default=[
        "https://www.mturk.com",
        "https://worker.mturk.com",
        "https://workersandbox.mturk.com",
        "https://requester.mturk.com",
        "https://requestersandbox.mturk.com",
    ],
)

# PROLIFIC_API_URL (`https://api.prolific.com`): where the page *Prolific* reaches it, and where the
#   keys are read by which Prolific signs addresses.
# PROLIFIC_TOKEN (none): the token of the Prolific account that pays. A study whose file names a
#   `workspace` is paid by `PROLIFIC_TOKEN_` and that name in capitals instead. Read when it is
#   needed, and kept in no row, log or page.
# PROLIFIC_WORKSPACE (none): the id of the workspace there, whose balance is shown and whose signed
#   addresses prove who comes; by name as well.
# PROLIFIC_PROJECT (none): the id of the project there in which drafts are made; by name as well.
PROLIFIC_API_URL = env.str("PROLIFIC_API_URL", default="https://api.prolific.com")
# PROLIFIC_OWNERS (operators): names of the accounts that may publish and pay there, in studies that
#   they own; `*` stands for every owner of a study. Without it superusers alone may.
PROLIFIC_OWNERS = env.list("PROLIFIC_OWNERS", default=[])
