"""Which backends hold a conversation, and how each is opened.

The openai SDK takes half a second to import: it is imported here, when a backend is opened.
"""

from functools import cache
from pathlib import Path

from endpoints.registry import endpoint as endpoint_named
from judges.backends.chat.batches import BatchChat, BatchProvider
from judges.backends.contract import Chat, ChatBackend, ChatSettings
from judges.backends.scripted import NAME as SCRIPTED
from judges.backends.scripted import ScriptedChat, fingerprint
from jurybox.plugins import Plugins, load_plugins

CHAT = "chat"


class Endpoints(ChatBackend):
    """The chat endpoints that are configured."""

    name = CHAT
    opens_model = False

    @classmethod
    def open(cls, settings: ChatSettings) -> Chat:
        name, model, replies = settings.endpoint, settings.model, settings.cache
        assert settings.configured is not None
        if settings.by_batch and replies is not None:
            return BatchChat(name, settings.configured, model, cache=replies)
        from judges.backends.chat.live import EndpointChat

        return EndpointChat(name, settings.configured, model, cache=replies)


class RecordedReplies(ChatBackend):
    """A file of recorded replies."""

    name = SCRIPTED
    is_free = True
    opens_model = False

    @classmethod
    def open(cls, settings: ChatSettings) -> Chat:
        if not settings.replies:
            raise ValueError("parameters.replies: the file of recorded replies is not named")
        return ScriptedChat(Path(settings.replies), sha256=settings.replies_sha256)


BACKENDS: tuple[type[ChatBackend], ...] = (Endpoints, RecordedReplies)
_OURS = {backend.name: backend for backend in BACKENDS}
# Our other backends are not chat models; nobody takes their names, either.
_NOT_CHATS = ("classification", "embedding", "seq2seq")


@cache
def installed_backends() -> Plugins:
    """The backends of other packages."""

    def objection(name: str, backend: type[ChatBackend]) -> str:
        own = getattr(backend, "name", "")
        return "" if own == name else f"it calls itself {own!r}"

    ours = (*_OURS, *_NOT_CHATS)
    return load_plugins("jurybox.backends", ChatBackend, ours=ours, objection=objection)


def find_backend(name: str) -> type[ChatBackend] | None:
    """The backend of that name; None where no chat model is asked by it."""
    return _OURS.get(name) or installed_backends().kinds.get(name)


def open_chat(backend: str, settings: ChatSettings) -> Chat:
    """The backend of that name, ready to use; ValueError where it cannot be opened."""
    found = find_backend(backend)
    if found is None:
        raise ValueError(f"backend: no {backend!r} is installed")
    return found.open(settings)


def open_batches(endpoint: str) -> BatchProvider:
    """The Batch API of an endpoint. BadEndpoint or Unusable where it cannot be opened."""
    from judges.backends.chat.provider import OpenAIBatches

    return OpenAIBatches(endpoint, endpoint_named(endpoint))


def locate_replies(file: str) -> tuple[str, str]:
    """The full path of a file of recorded replies and its SHA-256; both empty without one."""
    if not file:
        return "", ""
    path = Path(file).expanduser().resolve()
    if not path.is_file():
        raise ValueError(f"replies: there is no file {path}")
    return str(path), fingerprint(path)
