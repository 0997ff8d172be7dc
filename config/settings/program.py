"""What the program is made of: apps, middleware, templates."""

from config.settings.environment import BASE_DIR

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
    "accounts.middleware.back_to_the_page",
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
