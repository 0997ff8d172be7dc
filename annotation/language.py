"""Which language a page is in: a worker's pages in the study's, whatever the browser says."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers

from annotation.models import Study


def page_language(get_response: Callable[[HttpRequest], HttpResponse]) -> object:
    """The middleware that begins every page in the browser's language, as far as it is one of
    the researchers', and lets no choice of one page reach the next."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with translation.override(_of_researchers(request)):
            response = get_response(request)
            response.headers.setdefault("Content-Language", translation.get_language())
        patch_vary_headers(response, ("Accept-Language",))
        return response

    return middleware


def _of_researchers(request: HttpRequest) -> str:
    """A half-translated page, read from the wrong side, helps nobody."""
    wanted = translation.get_language_from_request(request)
    return wanted if wanted in settings.RESEARCHERS_LANGUAGES else settings.LANGUAGE_CODE


def speak_as_browser(request: HttpRequest) -> None:
    """A worker's page whose study is not known (yet): the browser's language, if we have it."""
    translation.activate(translation.get_language_from_request(request))


def speak_as_study(study: Study) -> None:
    """The rest of this page is in the study's language."""
    translation.activate(study.language)
