"""Which backends talk, and how each is opened."""

from pathlib import Path

from judges.backends.contract import Chat
from judges.backends.scripted import NAME as SCRIPTED
from judges.backends.scripted import ScriptedChat, fingerprint

CHAT = "chat"
CHATS = (CHAT, SCRIPTED)


def open_chat(
    backend: str, *, model: str, endpoint: str, replies: str, replies_sha256: str, cache: object
) -> Chat:
    """The backend of that name, ready to talk; ValueError where it cannot be made ready."""
    if backend == CHAT:
        raise ValueError("backend: chat endpoints cannot be asked yet")
    if not replies:
        raise ValueError("parameters.replies: the file of recorded replies is not named")
    return ScriptedChat(Path(replies), sha256=replies_sha256)


def settled_replies(file: str) -> tuple[str, str]:
    """The full path of a file of recorded replies and its SHA-256; both empty without one."""
    if not file:
        return "", ""
    found = Path(file).expanduser().resolve()
    if not found.is_file():
        raise ValueError(f"replies: there is no file {found}")
    return str(found), fingerprint(found)
