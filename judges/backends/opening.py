"""Which backends talk, and how each is opened."""

from pathlib import Path
from typing import TYPE_CHECKING

from judges.backends.contract import Chat, SharedCache
from judges.backends.endpoints import endpoint as endpoint_named
from judges.backends.scripted import NAME as SCRIPTED
from judges.backends.scripted import ScriptedChat, fingerprint

if TYPE_CHECKING:
    from judges.backends.chat.batches import Provider

CHAT = "chat"
CHATS = (CHAT, SCRIPTED)


def open_chat(
    backend: str,
    *,
    model: str,
    endpoint: str,
    replies: str,
    replies_sha256: str,
    cache: SharedCache | None,
    by_batch: bool = False,
) -> Chat:
    """The backend of that name, ready to talk; ValueError where it cannot be made ready.

    cache: None does without kept replies. by_batch: put down what has to be asked, and ask later.
    """
    if backend == CHAT and by_batch and cache is not None:
        from judges.backends.chat.batches import BatchChat

        return BatchChat(endpoint, endpoint_named(endpoint), model, cache=cache)
    if backend == CHAT:
        from judges.backends.chat.live import EndpointChat

        return EndpointChat(endpoint, endpoint_named(endpoint), model, cache=cache)
    if not replies:
        raise ValueError("parameters.replies: the file of recorded replies is not named")
    return ScriptedChat(Path(replies), sha256=replies_sha256)


def open_batches(endpoint: str) -> "Provider":
    """The batches of that endpoint; BadEndpoint or Unusable where they cannot be asked for."""
    from judges.backends.chat.batches import Provider

    return Provider(endpoint, endpoint_named(endpoint))


def settled_replies(file: str) -> tuple[str, str]:
    """The full path of a file of recorded replies and its SHA-256; both empty without one."""
    if not file:
        return "", ""
    found = Path(file).expanduser().resolve()
    if not found.is_file():
        raise ValueError(f"replies: there is no file {found}")
    return str(found), fingerprint(found)
