"""What the installation is called, and its key."""

from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from config.embedded import secret_key
from config.settings.database import ON_SQLITE
from config.settings.environment import DATA_DIR, env

# --- Secrets and hosts --------------------------------------------------------------------------

# COMMIT (of the git checkout): the commit that an image was made of; runs and exports name it.
COMMIT = env.str("COMMIT", default="")
# DEBUG (false): Django's debug pages. Never where others can reach them.
DEBUG = env.bool("DEBUG", default=False)
# ALLOWED_HOSTS (`localhost,127.0.0.1,[::1]`): the host names that the outside uses.
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
# CSRF_TRUSTED_ORIGINS (none): origins with scheme, such as `https://jurybox.example.org`, behind a
#   proxy that changes the host.
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

# SITE_URL (none): where the installation is reached, as `https://jurybox.example.org`: with it
#   messages about alerts hold links, commands print whole addresses, and links in e-mails do not
#   depend on the host that a page was asked under.
SITE_URL = env.str("SITE_URL", default="").rstrip("/")
_site = urlsplit(SITE_URL)
if SITE_URL and (_site.scheme not in {"http", "https"} or not _site.netloc or _site.path):
    raise ImproperlyConfigured("SITE_URL must be scheme and host: https://jurybox.example.org.")

# SECRET_KEY (made once, in `JURYBOX_DATA`): needed with PostgreSQL, since all machines share one.
SECRET_KEY = env.str("SECRET_KEY", default="")
if not SECRET_KEY:
    # A key made on the spot is right for one machine alone. Several machines on one database
    # must share theirs, or each would refuse the sessions and links of the others.
    if not ON_SQLITE:
        raise ImproperlyConfigured("SECRET_KEY must be set when DATABASE_URL is not SQLite.")
    SECRET_KEY = secret_key(DATA_DIR)

# SECRET_KEY_FALLBACKS (none): former keys, separated by commas, under which links, second factors,
#   stored keys and erased ids are still read. docs/security.md says how the key is changed.
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
