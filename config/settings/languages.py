"""Languages and time."""

from config.settings.environment import BASE_DIR, env

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
