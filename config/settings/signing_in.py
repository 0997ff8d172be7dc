"""Who may sign in, how, and for how long."""

from datetime import timedelta
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from config.company import company_sign_on
from config.settings.environment import env

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
