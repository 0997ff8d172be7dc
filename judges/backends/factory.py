"""Which backends hold a conversation, and how each is opened.

The openai SDK takes half a second to import: it is imported here, when a backend is opened.
"""

from pathlib import Path

from judges.backends.chat.batches import BatchChat, BatchProvider
from judges.backends.contract import AsyncReplyCache, Chat
from judges.backends.endpoints import endpoint as endpoint_named
from judges.backends.scripted import NAME as SCRIPTED
from judges.backends.scripted import ScriptedChat, fingerprint

CHAT = "chat"
CHATS = (CHAT, SCRIPTED)


def open_chat(
    backend: str,
    *,
    model: str,
    endpoint: str,
    replies: str,
    replies_sha256: str,
    cache: AsyncReplyCache | None,
    by_batch: bool = False,
) -> Chat:
    """The backend of that name, ready to use; ValueError where it cannot be opened.

    cache: None does without cached replies. by_batch: collect requests for a batch.
    """
    if backend == CHAT and by_batch and cache is not None:
        return BatchChat(endpoint, endpoint_named(endpoint), model, cache=cache)
    if backend == CHAT:
        from judges.backends.chat.live import EndpointChat

        return EndpointChat(endpoint, endpoint_named(endpoint), model, cache=cache)
    if not replies:
        raise ValueError("parameters.replies: the file of recorded replies is not named")
    return ScriptedChat(Path(replies), sha256=replies_sha256)


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
