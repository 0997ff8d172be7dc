"""The process that extracts texts: what it reads was written by strangers, so it may be killed.

Each request is a line of JSON (`content_type`, `url`, `size`) and so many bytes on standard input,
each reply a line of JSON (`title` and `text`, or `problem`) on standard output. It ends with its
input. What no library foresees ends it, too; the caller then starts another.
"""

import json
import logging
import os
import sys
from contextlib import suppress
from typing import BinaryIO

# How much memory it may take, on systems that can limit that.
MEMORY = 2 * 1024**3


def serve(requests: BinaryIO, replies: BinaryIO) -> None:
    """Reply to each request until there are no more."""
    from judges.retrieval.article import extracted
    from judges.retrieval.pdf import Unreadable

    while line := requests.readline():
        request = json.loads(line)
        body = requests.read(request["size"])
        try:
            title, text = extracted(body, content_type=request["content_type"], url=request["url"])
            reply = {"title": title, "text": text}
        except Unreadable as error:
            reply = {"problem": str(error)}
        replies.write(json.dumps(reply).encode() + b"\n")
        replies.flush()


def _limit_memory() -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))


def main() -> None:
    """Serve standard input and output, which no library may write to."""
    _limit_memory()
    logging.disable(logging.CRITICAL)
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    import trafilatura  # noqa: F401 (loaded before the first request, whose time is limited)

    replies.write(b"{}\n")
    replies.flush()
    serve(sys.stdin.buffer, replies)


if __name__ == "__main__":
    main()
