"""A chat endpoint of the tests' own: real HTTP, a fixed delay, and every fault that we know of.

It speaks the protocol of OpenAI's chat completions, files and batches, and keeps its own books: how
many calls it was asked, and what it charged. In a thread for most tests (`serving`); in a process
of its own (`python -m tests.services.endpoint`) where its work must not be ours.
"""

import argparse
import asyncio
import json
import random
import subprocess
import sys
import threading
import urllib.request
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.utils import formatdate
from typing import Any

from tests.services.endpoint_batches import Batches
from tests.services.endpoint_conventions import CONVENTIONS, NO_COMPLETION, as_bytes
from tests.services.ports import free_port

GOOD = '{"sentences": [0]}'
PROSE = "Certainly! I would say that it is the first sentence."
# Micro-dollars: USD per million tokens, so a count of tokens times this is in millionths.
PRICE_IN, PRICE_OUT = 2, 8
KEY = "sk-of-the-tests"

STATUS = {"400": 400, "401": 401, "403": 403, "404": 404, "408": 408, "409": 409, "429": 429,
          "429-seconds": 429, "429-date": 429, "quota": 429, "500": 500, "503": 503,
          "odd-400": 400, "filter-400": 400, "echo": 400}  # fmt: skip
CODES = {"quota": "insufficient_quota", "400": "bad_request", "filter-400": "content_filter",
         "401": "invalid_api_key",
         "404": "model_not_found"}  # fmt: skip


@dataclass
class Behaviour:
    """How the server answers.

    rates: the share of calls that get each fault, drawn by the seed. schemas: what it holds a
    model to: "json_schema", "json_object" too, or nothing. logprobs: whether it tells them.
    limit_name: how it calls the limit of tokens. unknown: other parameters that it does not take.
    choices: whether it gives several replies to one request. saying: how it says what it does not
    take: as `param`, as the `loc` of a list of errors, in `words` alone, or not at all. headers,
    query: what every request has to come with. redirect: the address to ask instead. modes: the
    faults of each question in order, by what its request contains. models: the body at `/models`.
    """

    delay: float = 0.0
    rates: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0
    reply: str = GOOD
    answer: Callable[[Mapping[str, Any]], str] | None = None
    schemas: tuple[str, ...] = ("json_schema", "json_object")
    logprobs: bool = True
    retry_after: str = "0"
    key: str = ""
    limit_name: str = "max_tokens"
    unknown: tuple[str, ...] = ()
    saying: str = "param"
    choices: bool = True
    headers: Mapping[str, str] = field(default_factory=dict)
    query: str = ""
    redirect: str = ""
    modes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    models: bytes = b'{"data": [{"id": "model-of-the-tests"}, {"id": "another"}]}'


class Server:
    """One endpoint. `script` holds faults for the next calls, in order; `asked` and `headers` what
    came."""

    url = ""

    def __init__(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        self.script: deque[str] = deque()
        self.asked: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.faults: Counter[str] = Counter()
        self.met: Counter[str] = Counter()
        self.charged: dict[str, int] = {"calls": 0, "tokens_in": 0, "tokens_out": 0, "micro": 0}
        # What was charged, by the seed of the request: tells calls apart where seeds do.
        self.by_seed: Counter[int] = Counter()
        self.keep_requests = True
        self.under_way = self.most_under_way = 0
        self.batches = Batches(self._batch_reply)
        self._draw = random.Random(behaviour.seed)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection until it closes."""
        with suppress(asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                method, path, _ = head[0].split(" ", 2)
                pairs = [line.partition(": ") for line in head[1:] if line]
                headers = {name.lower(): value for name, _, value in pairs}
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                answer = await self._answer(method, path, headers, body)
                if answer is None:
                    break
                writer.write(answer)
                await writer.drain()
        writer.close()

    async def _answer(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes
    ) -> bytes | None:
        if path == "/_books":
            return _http(200, json.dumps(self.books()).encode())
        path, _, query = path.partition("?")
        if turned_away := self._turn_away(query, headers):
            return turned_away
        if path.endswith("/chat/completions"):
            self.under_way += 1
            self.most_under_way = max(self.most_under_way, self.under_way)
            try:
                return await self._chat(json.loads(body), headers)
            finally:
                self.under_way -= 1
        if self.batches.faults:
            fault = self.batches.faults.popleft()
            if fault == "echo":  # the key, as some servers do
                return _refused("400", f"Odd key {headers.get('authorization')}")
            return _refused(fault)
        if path.endswith("/models"):
            await asyncio.sleep(self.behaviour.delay)
            found: bytes | None = self.behaviour.models
        else:
            found = self.batches.answer(method, path, headers, body)
        return _http(200, found) if found is not None else _refused("404")

    def _turn_away(self, query: str, headers: Mapping[str, str]) -> bytes | None:
        wanted = dict(self.behaviour.headers)
        if self.behaviour.key:
            wanted["authorization"] = f"Bearer {self.behaviour.key}"
        if not wanted.items() <= headers.items():
            return _refused("401")
        if self.behaviour.query not in query:
            return _refused("404")
        if self.keep_requests:
            self.headers.append(headers)
        if self.behaviour.redirect:
            return _http(307, b"", f"Location: {self.behaviour.redirect}/chat/completions")
        return None

    async def _chat(self, asked: dict[str, Any], headers: Mapping[str, str]) -> bytes | None:
        if self.keep_requests:
            self.asked.append(asked)
        fault = self._fault(asked)
        if fault:
            self.faults[fault] += 1
        if disliked := self._disliked(asked):
            return _http(*_not_taken(disliked, self.behaviour.saying))
        if fault == "hang":
            await asyncio.sleep(3600)
        if fault in STATUS:
            words = {"odd-400": "fault \0", "echo": f"Odd headers {headers}"}.get(fault, "")
            return _refused(fault, words, after=self._after(fault))
        await asyncio.sleep(self.behaviour.delay)
        if fault == "drop":
            return None
        if fault in NO_COMPLETION:
            return _http(200, NO_COMPLETION[fault])
        return _http(200, as_bytes(self._completion(asked, fault)))

    def _disliked(self, asked: Mapping[str, Any]) -> str:
        wanted = asked.get("response_format", {}).get("type")
        if wanted and wanted not in self.behaviour.schemas:
            return "response_format"
        if "max_tokens" in asked and self.behaviour.limit_name != "max_tokens":
            return "max_tokens"
        if asked.get("logprobs") and not self.behaviour.logprobs:
            return "logprobs"
        return next((name for name in self.behaviour.unknown if name in asked), "")

    def _fault(self, asked: Mapping[str, Any]) -> str:
        if self.script:
            return self.script.popleft()
        for words, modes in self.behaviour.modes.items():
            if words in asked["messages"][-1]["content"]:
                self.met[words] += 1
                return modes[min(self.met[words], len(modes)) - 1]
        at = self._draw.random()
        for name, rate in self.behaviour.rates.items():
            if at < rate:
                return name
            at -= rate
        return ""

    def _after(self, fault: str) -> str:
        if fault == "429-date":
            return formatdate(usegmt=True)
        return self.behaviour.retry_after if fault == "429-seconds" else ""

    def _text(self, asked: Mapping[str, Any], fault: str) -> str:
        special = {"empty": "", "prose": PROSE, "truncated": '{"sentences": ['}
        if fault in special:
            return special[fault]
        if self.behaviour.answer is not None:
            return self.behaviour.answer(asked)
        return self.behaviour.reply

    def _completion(self, asked: Mapping[str, Any], fault: str) -> dict[str, Any]:
        number = asked.get("n", 1) if self.behaviour.choices else 1
        texts = [self._text(asked, fault) for _ in range(number)]
        tokens_in = sum(len(m["content"].encode()) for m in asked["messages"]) // 4
        tokens_in = 10**30 if fault == "many-tokens" else tokens_in
        tokens_out = sum(len(text.encode(errors="replace")) // 4 for text in texts)
        self._charge(asked, tokens_in, tokens_out)
        completion = {
            "id": f"chatcmpl-{self.charged['calls']}",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": "somebody-else" if fault == "wrong_model" else asked["model"],
            "system_fingerprint": "fp_tests",
            "choices": [
                _choice(asked, text, fault, 3 if fault == "wrong_sample" else at)
                for at, text in enumerate(texts)
            ],
            "usage": {
                "prompt_tokens": tokens_in,
                "completion_tokens": tokens_out,
                "total_tokens": tokens_in + tokens_out,
                "prompt_tokens_details": {"cached_tokens": 0},
            },
        }
        return CONVENTIONS[fault](completion) if fault in CONVENTIONS else completion

    def _charge(self, asked: Mapping[str, Any], tokens_in: int, tokens_out: int) -> None:
        charged = {
            "calls": 1,
            "tokens_in": tokens_in,
            "tokens_out": tokens_out,
            "micro": tokens_in * PRICE_IN + tokens_out * PRICE_OUT,
        }
        for name, value in charged.items():
            self.charged[name] += value
        if asked.get("seed") is not None:
            self.by_seed[asked["seed"]] += charged["micro"]

    def _batch_reply(self, asked: dict[str, Any]) -> dict[str, Any]:
        """One line of a batch, answered; its faults are those that a finished call can have."""
        fault = self._fault(asked)
        self.asked.append(asked)
        if disliked := self._disliked(asked):
            status, said = _not_taken(disliked, self.behaviour.saying)
            return {"status_code": status, "body": json.loads(said)}
        if fault in STATUS:
            body = {"error": {"message": f"fault {fault}", "code": CODES.get(fault)}}
            return {"status_code": STATUS[fault], "body": body}
        return {"status_code": 200, "body": self._completion(asked, fault)}

    def books(self) -> dict[str, Any]:
        """What the server counted."""
        return {
            **self.charged,
            "faults": dict(self.faults),
            "by_seed": dict(self.by_seed),
            "most_under_way": self.most_under_way,
        }


def _choice(asked: Mapping[str, Any], text: str, fault: str, index: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None}
    if fault == "refusal":
        message |= {"content": None, "refusal": "I cannot help with that."}
    finish = {"truncated": "length", "filtered": "content_filter"}.get(fault, "stop")
    return {
        "index": index,
        "message": message,
        "finish_reason": finish,
        "logprobs": _logprobs(text, asked) if asked.get("logprobs") else None,
    }


def _http(status: int, body: bytes, *headers: str) -> bytes:
    lines = [
        f"HTTP/1.1 {status} {'OK' if status == 200 else 'Fault'}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        *headers,
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


def _not_taken(name: str, saying: str) -> tuple[int, bytes]:
    """A parameter that the server does not take, said in one of the ways that there are."""
    if saying == "loc":
        detail = {"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs"}
        return 422, json.dumps({"detail": [detail]}).encode()
    words = "Bad request." if not saying else f"'{name}' is not supported."
    error = {"message": words, "param": name if saying == "param" else None, "code": None}
    return 400, json.dumps({"error": error}).encode()


def _refused(fault: str, message: str = "", after: str = "") -> bytes:
    error = {
        "message": message or f"fault {fault}",
        "type": "error",
        "param": message.split(maxsplit=1)[0] if message else None,
        "code": CODES.get(fault),
    }
    headers = [f"Retry-After: {after}"] if after else []
    return _http(STATUS[fault], json.dumps({"error": error}).encode(), *headers)


def _logprobs(text: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Every character a token, the likeliest by far; alternatives are the next digits."""
    content = []
    for letter in text:
        others = [str((int(letter) + n) % 10) for n in range(10)] if letter.isdigit() else [letter]
        top = [
            {"token": token, "logprob": -0.1 - 2.0 * place, "bytes": list(token.encode())}
            for place, token in enumerate(others[: asked.get("top_logprobs", 0)])
        ]
        content.append(
            {"token": letter, "logprob": -0.1, "bytes": list(letter.encode()), "top_logprobs": top}
        )
    return {"content": content, "refusal": None}


@contextmanager
def serving(behaviour: Behaviour | None = None) -> Iterator[tuple[Server, str]]:
    """A server in a thread of this process, and its base URL."""
    server, port, loop = Server(behaviour or Behaviour()), free_port(), asyncio.new_event_loop()
    started = threading.Event()

    async def run() -> None:
        async with await asyncio.start_server(server.serve, "127.0.0.1", port):
            started.set()
            await stopping.wait()

    def go() -> None:
        loop.run_until_complete(run())
        for task in asyncio.all_tasks(loop):
            task.cancel()
            with suppress(asyncio.CancelledError):
                loop.run_until_complete(task)
        loop.close()

    stopping = asyncio.Event()
    thread = threading.Thread(target=go, name="endpoint", daemon=True)
    thread.start()
    assert started.wait(10)
    try:
        server.url = f"http://127.0.0.1:{port}/v1"
        yield server, server.url
    finally:
        loop.call_soon_threadsafe(stopping.set)
        thread.join(10)


@contextmanager
def endpoint_process(**options: Any) -> Iterator[str]:
    """The same in a process of its own: its base URL. `delay_ms=…, rates={…}, seed=…`."""
    port = free_port()
    given = {name: json.dumps(v) if name == "rates" else str(v) for name, v in options.items()}
    words = [w for name, v in given.items() for w in (f"--{name.replace('_', '-')}", v)]
    command = [sys.executable, "-m", "tests.services.endpoint", str(port), *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()


def books(url: str) -> dict[str, Any]:
    """What a server in another process has counted."""
    with urllib.request.urlopen(f"{url.removesuffix('/v1')}/_books") as answer:
        found: dict[str, Any] = json.load(answer)
        return found


async def _serve_for_ever(server: Server, port: int) -> None:
    async with await asyncio.start_server(server.serve, "127.0.0.1", port, backlog=1024) as opened:
        print("ready", flush=True)
        await opened.serve_forever()


def main(argv: list[str]) -> None:
    """Serve until killed; says `ready` on standard output once it answers."""
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--delay-ms", type=float, default=0)
    parser.add_argument("--rates", type=json.loads, default={})
    parser.add_argument("--reply", default=GOOD)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(argv)
    server = Server(Behaviour(given.delay_ms / 1000, given.rates, given.seed, given.reply))
    server.keep_requests = False
    asyncio.run(_serve_for_ever(server, given.port))


if __name__ == "__main__":
    main(sys.argv[1:])
