"""Files: static ones, uploads, exports."""

from pathlib import Path

from config.settings.environment import BASE_DIR, DATA_DIR, env
from config.settings.site import DEBUG

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
FILE_UPLOAD_HANDLERS = [
    "set_up.new_study.upload_limit.KeptUpload",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
