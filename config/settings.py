"""Settings of Jurybox: one module for every setting of the program, chosen by the environment.

Without any environment it is *embedded*: SQLite and a broker of plain files under
``JURYBOX_DATA``. With ``DATABASE_URL`` and ``BROKER_URL`` it is *served*: PostgreSQL and Redis.

Each variable is described by a comment `# NAME (default): meaning.` above its first use; further
lines of it are indented. docs/settings.md is made from these.
"""

from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from celery.schedules import crontab
from django.core.exceptions import ImproperlyConfigured

from config.company import company_sign_on
from config.embedded import data_folder, file_broker_options, is_installed, secret_key
from telemetry.logs import logging_settings

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()


def _addresses(name: str) -> list[tuple[str, int]]:
    """(address, port) of a variable that lists `address:port`."""
    entries = (entry.rpartition(":") for entry in env.list(name, default=[]))
    return [(address.strip("[]"), int(port)) for address, _, port in entries]


# What its command is called.
PROGRAM = "jurybox" if is_installed(BASE_DIR) else "manage.py"

# --- Where the program keeps what it writes -----------------------------------------------------

# JURYBOX_DATA (`./var`; installed, `~/.local/share/jurybox`): the folder of everything the program
#   writes: database, broker, secret key, static files, `bench.json`. The demo of an installed
#   program uses `demo` in it. On a Mac `~/Library/Application Support/jurybox`.
DATA_DIR = data_folder(BASE_DIR)
# Of an installed program it lies among a user's own files, and is for nobody else.
DATA_DIR.mkdir(mode=0o700 if is_installed(BASE_DIR) else 0o777, parents=True, exist_ok=True)

# --- Database -----------------------------------------------------------------------------------

# DATABASE_URL (SQLite in `JURYBOX_DATA`): `postgres://user:password@host:5432/name`. Behind a
#   pooler that shares connections between transactions end it with
#   `?DISABLE_SERVER_SIDE_CURSORS=true`.
DATABASES: dict[str, dict[str, Any]] = {
    "default": env.db("DATABASE_URL")
    if env.str("DATABASE_URL", default="")
    else {"ENGINE": "django.db.backends.sqlite3", "NAME": str(DATA_DIR / "jurybox.sqlite3")}
}
_database = DATABASES["default"]
_database["CONN_MAX_AGE"] = 60
_database["CONN_HEALTH_CHECKS"] = True
ON_SQLITE = _database["ENGINE"] == "django.db.backends.sqlite3"
if ON_SQLITE:
    # A transaction that begins by reading and then wants to write cannot wait for the other
    # writer, whatever the timeout: SQLite answers "database is locked" at once. IMMEDIATE takes
    # the write lock at BEGIN, where waiting works. WAL lets readers go on meanwhile.
    _database["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": (
            "PRAGMA journal_mode=WAL;"
            "PRAGMA synchronous=NORMAL;"
            "PRAGMA foreign_keys=ON;"
            "PRAGMA cache_size=-16000;"
            "PRAGMA temp_store=MEMORY;"
        ),
    }
elif _database["ENGINE"] == "django.db.backends.postgresql":
    _database["ENGINE"] = "config.postgresql"
if not ON_SQLITE and not _database.get("DISABLE_SERVER_SIDE_CURSORS"):
    # To compile a query takes PostgreSQL longer than what the pages ask. A pooler takes no options.
    _database.setdefault("OPTIONS", {}).setdefault("options", "-c jit=off")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

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

# --- The program --------------------------------------------------------------------------------

INSTALLED_APPS = [
    "jobs",
    "annotation",
    "imports",
    "endpoints",
    "judges",
    "estimates",
    "workbench",
    "exports",
    "results",
    "generators",
    "label_table",
    "marking",
    "accounts",
    "alerts",
    "recruitment",
    "set_up",
    "desk",
    "api",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "axes",
    # Of it only tables are used, of addresses, second factors and company accounts, and the
    # conversation with an OpenID Connect provider; the pages are the desk's.
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    # The desk has a site of its own that registers what may be seen there, so nothing is
    # discovered: the apps above would show their secrets.
    "django.contrib.admin.apps.SimpleAdminConfig",
]

MIDDLEWARE = [
    "telemetry.middleware.observed",
    "annotation.middleware.client_address.client_address",
    "annotation.views.outage.refuse_after_wait",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "annotation.middleware.compression.CompressedPages",
    "annotation.middleware.security_policy.security_policy",
    "annotation.middleware.frames.framed_pages",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "annotation.middleware.language.page_language",
    "django.middleware.common.CommonMiddleware",
    # Before the next one, which reads a request whole.
    "set_up.new_study.upload_limit.RefuseLargeUploads",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.middleware.second_factor_where_required",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # A task type keeps its form beside its code: "slider/form.html" is found there.
        "DIRS": [BASE_DIR / "templates", BASE_DIR / "tasktypes"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            # Beside the forms that use it, which lie in no app.
            "libraries": {"text_forms": "tasktypes.texts.text_forms"},
        },
    },
]

# --- Signing in ---------------------------------------------------------------------------------

AUTH_USER_MODEL = "annotation.User"
LOGIN_URL = "desk:sign-in"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "desk:home"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "accounts.backends.StudyMakers",
    "django.contrib.auth.backends.ModelBackend",
]
# So many wrong passwords for a name from one address, and that name waits, there alone.
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_TEMPLATE = "desk/locked_out.html"
AXES_DISABLE_ACCESS_LOG = True  # who signed in when is nobody's business
AXES_ENABLE_ADMIN = AXES_VERBOSE = False
# A mistake in what was typed is kept with the attempt, except for these fields. A code that is
# wrong now was right for another account or half a minute ago; `next` may lead to an invitation.
AXES_SENSITIVE_PARAMETERS = [
    "username",
    "ip_address",
    "password",
    "code",
    "credential",
    "next",
    "csrfmiddlewaretoken",
]
# SIGN_UP (`invited`): who may make an account: `invited`, whoever has an invitation; `open`,
#   anybody who can reach the program; `closed`, nobody, so that the operator makes them.
SIGN_UP = env.str("SIGN_UP", default="invited")
if SIGN_UP not in {"invited", "open", "closed"}:
    raise ImproperlyConfigured("SIGN_UP must be invited, open or closed.")
# STUDY_MAKERS (`all`; with `SIGN_UP=open` `permitted`): which accounts may make studies: `all` of
#   them, or those `permitted` to by the operator.
STUDY_MAKERS = env.str("STUDY_MAKERS", default="permitted" if SIGN_UP == "open" else "all")
if STUDY_MAKERS not in {"all", "permitted"}:
    raise ImproperlyConfigured("STUDY_MAKERS must be all or permitted.")
# SECOND_FACTOR (`optional`): who must have a second factor, a code from an app or a passkey:
#   `optional`, nobody; `owners`, operators and owners of studies; `required`, every account.
SECOND_FACTOR = env.str("SECOND_FACTOR", default="optional")
if SECOND_FACTOR not in {"optional", "owners", "required"}:
    raise ImproperlyConfigured("SECOND_FACTOR must be optional, owners or required.")
# OIDC_ISSUER (none): the address of an OpenID Connect provider, such as
#   `https://login.example.org/realms/lab`, where people may sign in instead of by a password here.
#   docs/accounts.md says what to enter there.
# OIDC_CLIENT_ID (none): what the provider knows this installation by.
# OIDC_CLIENT_SECRET (none): with which it shows the provider that it is it.
# OIDC_NAME (`company account`): what the button says after *Sign in with*.
# OIDC_DOMAINS (none): domains of e-mail addresses, which the provider must have verified, whose
#   people may come in; together with `OIDC_GROUPS` both must hold. Without either everybody whom
#   the provider knows may use an account that was connected.
# OIDC_GROUPS (none): groups at the provider, of which one must be in the claim `OIDC_GROUPS_CLAIM`.
# OIDC_GROUPS_CLAIM (`groups`): where the provider says which groups somebody is in.
# OIDC_SIGN_UP (false): true makes an account for whoever comes from there without one. Needs
#   `OIDC_DOMAINS` or `OIDC_GROUPS`.
# OIDC_SECOND_FACTOR (`ours`): `ours`, an account with a second factor is asked for it here as well;
#   `theirs`, the provider asks for one, and a sign-in there counts as both steps.
OIDC: Any = company_sign_on(env)  # CompanySignOn, or None without a provider
SOCIALACCOUNT_ADAPTER = "accounts.signing_in.company.adapter.CompanyErrors"
SOCIALACCOUNT_PROVIDERS = OIDC.providers if OIDC else {}
# ADMIN_PAGES (true): whether superusers find the tables of the installation under `/admin/`.
ADMIN_PAGES = env.bool("ADMIN_PAGES", default=True)
PASSWORD_RESET_TIMEOUT = 24 * 3600  # seconds that a link to a new password works
MFA_ADAPTER = "accounts.adapter.Adapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_TOTP_TOLERANCE = 1  # a clock that is half a minute off
MFA_TOTP_ISSUER = "Jurybox"
MFA_WEBAUTHN_USER_VERIFICATION = "preferred"
ACCOUNT_EMAIL_VERIFICATION = "none"  # the desk's own pages confirm addresses
SESSION_ENGINE = "annotation.queries.sessions"
SESSION_COOKIE_NAME = "jurybox_session"
CSRF_COOKIE_NAME = "jurybox_csrf"
CSRF_FAILURE_VIEW = "annotation.views.faults.csrf_failure"
CSRF_COOKIE_HTTPONLY = True  # forms carry the token; no script has to read the cookie

# --- E-mail -------------------------------------------------------------------------------------

# EMAIL_URL (none): `smtp+tls://user:password@host:587` or `smtp+ssl://…:465`; how the program sends
#   e-mail. `consolemail://` prints it instead. Without it no e-mail is sent, and pages show links
#   to copy where they would be mailed. Characters such as `@` in a password are written as `%40`.
EMAIL_ENABLED = bool(env.str("EMAIL_URL", default=""))
if EMAIL_ENABLED:
    _email = env.email_url("EMAIL_URL")
    EMAIL_BACKEND = _email["EMAIL_BACKEND"]
    EMAIL_HOST, EMAIL_PORT = _email["EMAIL_HOST"] or "localhost", _email["EMAIL_PORT"] or 25
    EMAIL_HOST_USER = _email["EMAIL_HOST_USER"] or ""
    EMAIL_HOST_PASSWORD = _email["EMAIL_HOST_PASSWORD"] or ""
    EMAIL_USE_TLS = bool(_email.get("EMAIL_USE_TLS"))
    EMAIL_USE_SSL = bool(_email.get("EMAIL_USE_SSL"))
    EMAIL_FILE_PATH = _email["EMAIL_FILE_PATH"]
else:
    EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
EMAIL_TIMEOUT = 20  # seconds; a mail server that does not answer must not hold a worker
# DEFAULT_FROM_EMAIL (`jurybox@localhost`): who e-mail comes from: an address, or a name with the
#   address in angle brackets.
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="jurybox@localhost")

# --- Security headers ---------------------------------------------------------------------------

# Without a proxy that sets X-Forwarded-Proto itself anyone could send that header, so it is
# believed only then.
# HTTPS (false): true where a proxy speaks https and sets `X-Forwarded-Proto` itself. Gives secure
#   cookies, redirects and HSTS.
HTTPS = env.bool("HTTPS", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    # HSTS_SECONDS (31536000): for how long browsers are told to insist on https; with `HTTPS` only.
    SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=31_536_000)
    # Probes and scrapes may come from inside, by plain http.
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
# TRUSTED_PROXIES (0): how many proxies stand in front, each of which appends to `X-Forwarded-For`.
#   Wrong passwords, requests of the API without a token and sessions are then told by the caller's
#   address; with 0 the header is not believed.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)
# Whether the rest of a domain is for https alone is not ours to promise to every browser.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

# No inline script or style anywhere, so no nonce and no "unsafe" word either. Texts of studies
# come from outside; this is the wall behind the template escaping.
CONTENT_SECURITY_POLICY = {
    "default-src": ["'self'"],
    "base-uri": ["'none'"],
    # Covers redirects after a POST as well: a worker goes back to the panel by a link.
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
    "object-src": ["'none'"],
}

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

# --- Static files -------------------------------------------------------------------------------

STATIC_URL = "static/"
# STATIC_ROOT (`static` in `JURYBOX_DATA`): where `collectstatic` puts files.
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(DATA_DIR / "static")))
# A task type keeps its styles and scripts beside its form: "slider/form.css" is found there.
STATICFILES_DIRS: list[Path | tuple[str, Path]] = [
    BASE_DIR / "static",
    *((folder.parent.name, folder) for folder in sorted(BASE_DIR.glob("tasktypes/*/static"))),
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "config.static_files.CompactStaticFiles"
    },
}
# Beside what is compressed already: only whoever looks into the code of others reads `.map`.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = (
    *("jpg", "jpeg", "png", "gif", "webp", "zip", "gz", "tgz", "bz2", "tbz", "xz", "br"),
    *("swf", "flv", "woff", "woff2", "map"),
)
# --- Uploads and exports --------------------------------------------------------------------------

# MEDIA_ROOT (`media` in `JURYBOX_DATA`): where uploaded tables are kept, which workers import, and
#   files of other tools until they are imported; with several machines a folder that all of them
#   share.
MEDIA_ROOT = Path(env.str("MEDIA_ROOT", default=str(DATA_DIR / "media")))
# EXPORTS_ROOT (`exports` in `JURYBOX_DATA`): where workers write exports for the web to hand out;
#   with several machines a folder that all of them share.
EXPORTS_ROOT = Path(env.str("EXPORTS_ROOT", default=str(DATA_DIR / "exports")))
# UPLOAD_MIB (1024): the largest table, in MiB, for a new study in the browser, or all files of
#   another tool together; `import_study` takes any size. A proxy has a limit of its own
#   (docs/deploying.md).
UPLOAD_MIB = env.int("UPLOAD_MIB", default=1024)
# READ_MEMORY_MIB (1024): the memory, in MiB, that reading an uploaded file may take. A process
#   of its own reads it; each process of the program runs two of these at most.
READ_MEMORY_MIB = env.int("READ_MEMORY_MIB", default=1024)
# READ_SECONDS (20): the seconds of computing that reading an uploaded file may take on a
#   page; in the background, as many more for each MiB.
READ_SECONDS = env.int("READ_SECONDS", default=20)
# IMPORT_ROOT (none): a folder of tables that superusers may take for a new study in the browser
#   instead of uploading them; links out of it are not followed.
IMPORT_ROOT = env.str("IMPORT_ROOT", default="")
# --- Hugging Face Hub -----------------------------------------------------------------------------

# HF_ENDPOINT (`https://huggingface.co`): the Hugging Face Hub, or a mirror of it, that datasets are
#   imported from.
# HF_TOKEN (none): a token of the hub, for private and gated datasets. It is read when it is needed
#   and never stored; in the browser only superusers import with it.
HF_ENDPOINT = env.str("HF_ENDPOINT", default="https://huggingface.co")
# HUB_MIB (2048): the largest part of a dataset, in MiB, that is fetched from the hub.
HUB_MIB = env.int("HUB_MIB", default=2048)
# HUB_PORTS (`80,443`): the ports of the hub and of where it redirects to.
HUB_PORTS = env.list("HUB_PORTS", cast=int, default=[80, 443])
# HUB_PRIVATE (none): `address:port`, separated by commas: a mirror of the hub in your own network.
#   Without it datasets are fetched from the public internet alone.
HUB_PRIVATE = _addresses("HUB_PRIVATE")
FILE_UPLOAD_HANDLERS = [
    "set_up.new_study.upload_limit.KeptUpload",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

# --- Language and time --------------------------------------------------------------------------

USE_I18N = True
LANGUAGE_CODE = "en"
# Each under its own name. docs/languages.md says how to add one.
LANGUAGES = [
    ("en", "English"),
    ("ar", "العربية"),
    ("de", "Deutsch"),
    ("es", "español"),
    ("zh-hans", "简体中文"),
]
# Those that the researchers' pages are translated into as well.
RESEARCHERS_LANGUAGES = ["en"]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_TZ = True
# TIME_ZONE (UTC): the zone of times on pages.
TIME_ZONE = env.str("TIME_ZONE", default="UTC")

# --- Background work ----------------------------------------------------------------------------

# The truth about a job is its database row; a message only says "look at row n". So a message
# that is lost or delivered twice costs nothing, and results are not kept in the broker.
# BROKER_URL (files in `JURYBOX_DATA`): `redis://host:6379/0`.
CELERY_BROKER_URL = env.str("BROKER_URL", default="filesystem://")
CELERY_TASK_TIME_LIMIT = 600
CELERY_TASK_SOFT_TIME_LIMIT = 540
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_TIMEZONE = "UTC"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat-schedule")
CELERY_BEAT_SCHEDULER = "config.schedule:Scheduler"
# How soon beat notices that the clock was set back.
CELERY_BEAT_MAX_LOOP_INTERVAL = 30

if CELERY_BROKER_URL.startswith("filesystem:"):
    CELERY_BROKER_TRANSPORT = "config.broker:Transport"
    CELERY_BROKER_TRANSPORT_OPTIONS = file_broker_options(DATA_DIR / "broker")
    # One message is read per poll, so fetch a few ahead. Remote control needs an exchange that
    # reaches every worker, which files do not offer.
    CELERY_WORKER_PREFETCH_MULTIPLIER = 8
    CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
elif CELERY_BROKER_URL.startswith("memory:"):
    CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.02}
    CELERY_WORKER_PREFETCH_MULTIPLIER = 8
else:
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        # Longer than the longest task, or a slow task would be handed out again while it runs.
        "visibility_timeout": CELERY_TASK_TIME_LIMIT + 300,
        # How soon a dead worker's messages are looked for; by default that takes minutes.
        "unacked_restore_interval": 1,
        "unacked_restore_throttle": 1,
        # A web request must not hang on an unreachable broker.
        "socket_connect_timeout": 5,
    }
    CELERY_WORKER_PREFETCH_MULTIPLIER = 1

# Every kind of background job, by the path of its object.
JOB_KINDS = (
    "estimates.report.recount.RECOUNT",
    "exports.jobs.EXPORT",
    "set_up.imports.jobs.IMPORT",
    "desk.data.exclusions.work.PREVIEW",
    "desk.data.exclusions.work.APPLY",
    "desk.data.exclusions.work.UNDO",
    "desk.data.adjudication.work.RANKING",
    "desk.data.adjudication.work.ADD_CONTESTED",
    "desk.data.adjudication.work.FRAME",
    "desk.data.adjudication.work.DRAW_AUDIT",
    "desk.data.adjudication.work.BESIDE_GOLD",
    "desk.people.workers.newest.FIGURES",
    "desk.data.units.actions.ACT",
    "judges.calibration.baselines.MAKE_BASELINES",
    "generators.jobs.work.WRITE_TEXTS",
    "generators.jobs.work.PROPOSE_LISTS",
    "desk.data.units.search.INDEX",
    "desk.studies.archive.REMOVE",
    "alerts.deliveries.MESSAGE",
)

# A periodic message that nobody took before the next one is due has no more to say.
CELERY_BEAT_SCHEDULE = {
    "sweep-jobs": {
        "task": "jobs.tasks.sweep",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "forget-old-jobs": {
        "task": "jobs.tasks.forget_old_jobs",
        "schedule": crontab(minute=50),
        "options": {"expires": 3000},
    },
    "sweep-judge-runs": {
        "task": "judges.tasks.sweep",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "release-expired-leases": {
        "task": "annotation.tasks.release_expired_leases",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "erase-withdrawn": {
        "task": "annotation.tasks.erase_withdrawn",
        "schedule": 600.0,
        "options": {"expires": 600},
    },
    "erase-expired": {
        "task": "annotation.tasks.erase_expired",
        "schedule": crontab(hour=3, minute=20),
        "options": {"expires": 3600},
    },
    "remove-abandoned-imports": {
        "task": "imports.tasks.remove_abandoned",
        "schedule": crontab(hour=3, minute=25),
        "options": {"expires": 3600},
    },
    "end-old-tryouts": {
        "task": "desk.tasks.end_old_tryouts",
        "schedule": crontab(hour=3, minute=30),
        "options": {"expires": 3600},
    },
    "forget-old-faults": {
        "task": "desk.tasks.forget_old_faults",
        "schedule": crontab(hour=3, minute=55),
        "options": {"expires": 3600},
    },
    "forget-old-drafts": {
        "task": "set_up.tasks.forget_old_drafts",
        "schedule": crontab(hour=3, minute=35),
        "options": {"expires": 3600},
    },
    "watch-studies": {
        "task": "alerts.tasks.watch_studies",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "watch-feeds": {
        "task": "alerts.tasks.watch_feeds",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "forget-old-secrets": {
        "task": "alerts.tasks.forget_old_secrets",
        "schedule": crontab(hour=3, minute=45),
        "options": {"expires": 3600},
    },
    "read-panels": {
        "task": "recruitment.tasks.read_panels",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "forget-old-writes": {
        "task": "api.tasks.forget_old_writes",
        "schedule": crontab(hour=3, minute=50),
        "options": {"expires": 3600},
    },
    "count-unseen-studies": {
        "task": "estimates.tasks.count_unseen",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "renew-outdated-results": {
        "task": "estimates.tasks.renew_outdated",
        "schedule": crontab(hour=3, minute=40),
        "options": {"expires": 3600},
    },
}

# --- Judges -------------------------------------------------------------------------------------

# JUDGE_ENDPOINTS (none): a YAML file of the chat endpoints that judges may ask; docs/judges.md says
#   what is in it. Without it there is one, `default`.
# OPENAI_BASE_URL (OpenAI's address): the endpoint `default`, where `JUDGE_ENDPOINTS` names no file.
# OPENAI_API_KEY (none): its key. Keys of other endpoints are read under the names that they give.
JUDGE_ENDPOINTS = env.str("JUDGE_ENDPOINTS", default="")
# PAGES_USER_AGENT (a line that names Jurybox): how judges that open links present themselves. A
#   good place for an address to complain to.
PAGES_USER_AGENT = env.str("PAGES_USER_AGENT", default="")
# PAGES_PORTS (`80,443`): the ports on which they open links.
PAGES_PORTS = env.list("PAGES_PORTS", cast=int, default=[80, 443])
# PAGES_PROXY (none): `http://user:password@host:port`, an HTTP proxy that they open links through;
#   it must allow CONNECT to `PAGES_PORTS`. docs/retrieving-pages.md says what it is sent.
# PAGES_PROXY_RESOLVES (false): true hands the proxy names instead of addresses that were checked
#   here. It must then refuse private addresses itself.
PAGES_PROXY = env.str("PAGES_PROXY", default="")
if PAGES_PROXY and not (urlsplit(PAGES_PROXY).hostname and PAGES_PROXY.startswith("http://")):
    raise ImproperlyConfigured("PAGES_PROXY must be http://[user:password@]host:port.")
PAGES_PROXY_RESOLVES = env.bool("PAGES_PROXY_RESOLVES", default=False)
# PAGES_PROBE_NAMES (`example.com,iana.org,wikipedia.org`): names that exist. Where none of them can
#   be looked up, a name that is not found says nothing about a page. Empty: none is ever tried.
PAGES_PROBE_NAMES = env.list(
    "PAGES_PROBE_NAMES", default=["example.com", "iana.org", "wikipedia.org"]
)
# PAGES_RENDERED (false): true opens pages made by scripts in a headless Chromium; needs the package
#   `playwright` and a Chromium on the worker's machine.
PAGES_RENDERED = env.bool("PAGES_RENDERED", default=False)
if PAGES_RENDERED and find_spec("playwright") is None:
    raise ImproperlyConfigured("PAGES_RENDERED needs the package playwright and a Chromium.")

# --- Alerts -------------------------------------------------------------------------------------

# WEBHOOK_PORTS (`80,443`): the ports of addresses that webhooks post to.
WEBHOOK_PORTS = env.list("WEBHOOK_PORTS", cast=int, default=[80, 443])
# WEBHOOK_PRIVATE (none): `address:port`, separated by commas: addresses of your own network that
#   messages may be posted to. Without it only the public internet is posted to.
WEBHOOK_PRIVATE = _addresses("WEBHOOK_PRIVATE")

# --- REST API -----------------------------------------------------------------------------------

# API_RATE (600/min): how many requests a token of the API may make, as `N/min`, `N/hour` or `N/day`
#   for each process of the web server.
API_RATE = env.str("API_RATE", default="600/min")
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["api.authentication.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_THROTTLE_CLASSES": ["api.throttles.TokenThrottle"],
    "NUM_PROXIES": 0,  # `TRUSTED_PROXIES` has put the caller's address in its place
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["api.requests.json_body.JsonBody"],
    "DEFAULT_PAGINATION_CLASS": "api.requests.pagination.ByCursor",
    "DEFAULT_FILTER_BACKENDS": ["api.requests.filters.ByParameters"],
    "DEFAULT_SCHEMA_CLASS": "api.schema.operations.Described",
    "EXCEPTION_HANDLER": "api.problems.as_problem",
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Jurybox",
    "DESCRIPTION": "Studies in which people and machines answer the same questions.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "ENABLE_DJANGO_DEPLOY_CHECK": False,
    "POSTPROCESSING_HOOKS": ["api.schema.finished.finish"],
}

# --- Watching ------------------------------------------------------------------------------------

# RESULTS_WAIT_SECONDS (0.2): how long counting answers may take while a page of results waits for
#   it. If it took longer, the page shows the last figures, and a worker computes newer ones.
RESULTS_WAIT_SECONDS = env.float("RESULTS_WAIT_SECONDS", default=0.2)

# LOG_LEVEL (INFO): what goes to standard error.
# LOG_FORMAT (`json`; with SQLite `text`): lines for programs, or for a terminal. `json` has types
#   instead of the messages of exceptions, which may hold what people typed.
LOG_FORMAT = env.str("LOG_FORMAT", default="text" if ON_SQLITE else "json")
if LOG_FORMAT not in {"json", "text"}:
    raise ImproperlyConfigured("LOG_FORMAT must be json or text.")
LOGGING = logging_settings(form=LOG_FORMAT, level=env.str("LOG_LEVEL", default="INFO"))
# METRICS_TOKEN (none): lets a monitoring program read `/metrics`, as `Authorization: Bearer …`.
#   Without it only this machine may, and only where `ALLOWED_HOSTS` names no other.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
# OTEL_EXPORTER_OTLP_ENDPOINT (none): where traces are sent by OTLP over http, such as
#   `http://collector:4318`; needs `jurybox[otel]`. Other variables of OpenTelemetry count as well.
TRACES_ENDPOINT = env.str("OTEL_EXPORTER_OTLP_ENDPOINT", default="")
if TRACES_ENDPOINT and find_spec("opentelemetry.sdk") is None:
    raise ImproperlyConfigured("OTEL_EXPORTER_OTLP_ENDPOINT needs the extra otel.")
# PORT (8000): where `make demo` listens, on this machine only.
