"""The language of a page. Workers' pages are in the study's language."""

import gettext
from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers

from annotation.models import Study


def page_language(get_response: Callable[[HttpRequest], HttpResponse]) -> object:
    """Middleware: each request starts in the browser's language, if researchers' pages have it, and
    no request's choice of a language reaches the next."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with translation.override(_researchers_language(request)):
            response = get_response(request)
            response.headers.setdefault("Content-Language", translation.get_language())
        patch_vary_headers(response, ("Accept-Language",))
        return response

    return middleware


def _researchers_language(request: HttpRequest) -> str:
    """The browser's language if researchers' pages have it in full, else the default."""
    language = translation.get_language_from_request(request)
    return language if language in settings.RESEARCHERS_LANGUAGES else settings.LANGUAGE_CODE


def activate_browser_language(request: HttpRequest) -> None:
    """Use the browser's language, if we have it, for a worker's page without a known study."""
    translation.activate(translation.get_language_from_request(request))


def activate_language(study: Study) -> None:
    """Use the study's language for the rest of this request."""
    translation.activate(study.language)


@cache
def is_proofread(language: str) -> bool:
    """Whether somebody who speaks the language has read its texts: `X-Proofread` in the header of
    its catalogue. English is written by hand."""
    if language == settings.LANGUAGE_CODE:
        return True
    folders, names = settings.LOCALE_PATHS, [translation.to_locale(language)]
    header = gettext.translation("django", folders[0], names).info()
    return header.get("x-proofread") == "yes"


def unproofread_name(study: Study) -> str:
    """What the language of the workers' pages is called in English, if nobody has proofread it."""
    if is_proofread(study.language):
        return ""
    return str(translation.get_language_info(study.language)["name"])
