"""Uploads of the pages of a new study: how large they may be, and where their bytes go.

A file is written piece by piece to where uploads are kept, never into memory and never twice.
"""

import shutil
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from accounts.backends import MAKE_STUDIES
from imports.uploads import IncomingFile, uploads_folder
from set_up.models import NewStudy

if TYPE_CHECKING:
    _UploadedFile = UploadedFile[bytes]
else:
    _UploadedFile = UploadedFile

_MARK = "upload_refused"
# Files of any form and of other tools, each kept under a name of its own.
API = ("api:readings-list", "api:imports-list")
ALONE = ("desk:new-study-files", "desk:new-study-tool", *API)
_PAGES = ("desk:new-study", "desk:set-up-table", *API)
# Study files and the like, which the other pages take.
_OTHERS_MIB = 20
# What a request holds besides its file.
_REST = 2**20
# Nobody's upload may fill the disk: answers are written there, too.
_LEFT_FREE = 256 * 2**20
TOO_LARGE, NO_ROOM, NOT_WRITTEN = 413, 507, 500


class KeptFile(_UploadedFile):
    """An uploaded file that is kept already, under a name of its own."""

    def __init__(self, digest: str, name: str | None, size: int) -> None:
        super().__init__(None, name, size=size)
        self.digest = digest


class KeptUpload(FileUploadHandler):
    """Writes a file to the disk as it arrives, and drops any file that is too large."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self._size, self._limit = 0, limit_of(self.request)
        self._view = _view_name(self.request)
        self._incoming = IncomingFile() if self._view in ALONE else None

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        self._size += len(raw_data)
        if self._limit is not None and self._size > self._limit:
            self._refuse(TOO_LARGE)
        if self._incoming is None:
            return raw_data
        try:
            self._incoming.write(raw_data)
        except OSError:
            self._refuse(NOT_WRITTEN)
        return None

    def file_complete(self, file_size: int) -> KeptFile | None:
        """The kept file; without one, the next handler has it."""
        if self._incoming is None:
            return None
        return KeptFile(self._incoming.keep_alone(), self.file_name, file_size)

    def _refuse(self, status: int) -> None:
        setattr(self.request, _MARK, status)
        if self._incoming is not None:
            self._incoming.drop()
        raise SkipFile


class RefuseLargeUploads:
    """Answers a request that says itself that it is too large before any of it is read."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_view(
        self, request: HttpRequest, _view: Any, _args: Any, kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """The refusal, if there is a reason for one. The check of the form's token reads the whole
        request, which keeps a file however small, so that whoever may not upload is turned away
        here as well."""
        # The API looks at the token first.
        if limit_of(request) is None or request.method != "POST" or _view_name(request) in API:
            return None
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if _view_name(request) in ALONE and not request.user.has_perm(MAKE_STUDIES):
            raise PermissionDenied
        if "draft_id" in kwargs:
            get_object_or_404(NewStudy, pk=kwargs["draft_id"], owner=request.user)
        status = early_status(request)
        return refusal(request, status) if status else None


def early_status(request: HttpRequest) -> int:
    """Why a request is not to be read, by the length that it says itself; 0 where it may be."""
    length = _length(request)
    if length > (limit_of(request) or 0) + _REST:
        return TOO_LARGE
    is_long = length > _REST
    free = shutil.disk_usage(uploads_folder()).free
    return NO_ROOM if is_long and length + _LEFT_FREE > free else 0


def refused_status(request: HttpRequest) -> int:
    """Why a file of the request was dropped, as a status; 0 where none was."""
    return int(getattr(request, _MARK, 0)) if request.POST is not None else 0


def refusal(request: HttpRequest, status: int) -> HttpResponse:
    """A page with the reason."""
    context = {"reason": reason_of(request, status), "address": request.path}
    return render(request, "desk/new_study/refused_upload.html", context, status=status)


def reason_of(request: HttpRequest, status: int) -> str:
    """The reason in one sentence."""
    if status == TOO_LARGE:
        mib = (limit_of(request) or 0) // 2**20
        return f"Larger than {mib} MiB: use the command import_study, which takes any size."
    if status == NO_ROOM:
        return "The server has not enough disk space for this file."
    return "The file could not be written to the server's disk."


def limit_of(request: HttpRequest | None) -> int | None:
    """The largest file in bytes; None for pages that have limits of their own."""
    name = _view_name(request)
    if not name.startswith(_PAGES):
        return None
    return int(settings.UPLOAD_MIB if name in ALONE else _OTHERS_MIB) * 2**20


def _view_name(request: HttpRequest | None) -> str:
    match = request.resolver_match if request else None
    return match.view_name if match is not None else ""


def _length(request: HttpRequest) -> int:
    length = request.META.get("CONTENT_LENGTH") or "0"
    return int(length) if length.isdecimal() else 0
