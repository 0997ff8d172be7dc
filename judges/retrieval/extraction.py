"""Extract texts in a process of their own, within a limit of time that holds for any page."""

import atexit
import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

from judges.retrieval.pdf import Unreadable

_ROOT = Path(__file__).parents[2]
_COMMAND = (sys.executable, "-m", "judges.retrieval.extraction_process")
_START_SECONDS = 60.0
# What the process gets of the environment: no keys of providers.
_ENVIRONMENT = ("PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME", "LANG", "SYSTEMROOT")


class TextExtraction:
    """A process that extracts texts, started when it is needed first and after it was killed.

    It is for one thread at a time.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def extracted(
        self, body: bytes, *, content_type: str, url: str, seconds: float
    ) -> tuple[str, str]:
        """Title and text of a page, as `judges.retrieval.article.extracted` has them.

        Unreadable where that takes longer than so many seconds, too much memory, or fails.
        """
        header = {"content_type": content_type, "url": url, "size": len(body)}
        is_killed, reply = self._answer(json.dumps(header).encode() + b"\n" + body, seconds)
        if not reply:
            self.close()
            what = "takes too long" if is_killed else "fails"
            raise Unreadable(f"to extract its text {what}")
        answer: dict[str, str] = json.loads(reply)
        if "problem" in answer:
            raise Unreadable(answer["problem"])
        return answer["title"], answer["text"]

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is None or self._owner != os.getpid():
            return
        process.kill()
        # What is not yet written cannot be flushed any more.
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            with suppress(OSError):
                stream.close()
        process.wait()

    def _answer(self, request: bytes, seconds: float) -> tuple[bool, bytes]:
        """Whether the process was killed, and its reply, empty where it has ended."""
        process = self._running()
        is_killed = threading.Event()

        def kill() -> None:
            is_killed.set()
            process.kill()

        assert process.stdin is not None
        timer = threading.Timer(seconds, kill)
        timer.start()
        try:
            process.stdin.write(request)
            process.stdin.flush()
            reply = _line(process)
        except OSError:
            reply = b""
        finally:
            timer.cancel()
        return is_killed.is_set(), reply if reply.endswith(b"\n") else b""

    def _running(self) -> "subprocess.Popen[bytes]":
        if self._process is not None and self._owner == os.getpid():
            return self._process
        process = subprocess.Popen(
            _COMMAND,
            cwd=_ROOT,
            env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._process, self._owner = process, os.getpid()
        timer = threading.Timer(_START_SECONDS, process.kill)
        timer.start()
        _line(process)
        timer.cancel()
        return process


def _line(process: "subprocess.Popen[bytes]") -> bytes:
    assert process.stdout is not None
    return process.stdout.readline()


# For all pages of this process, because it takes a second to start.
SHARED = TextExtraction()
atexit.register(SHARED.close)
