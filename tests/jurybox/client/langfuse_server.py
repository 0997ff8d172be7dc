"""The two operations of Langfuse that the nightly example uses, in the types of its own SDK: a
program for an environment that has the SDK.

    langfuse_server.py PORT OBSERVATIONS.json SCORES.jsonl

What it is sent has to be what the SDK's types write, field for field; it keeps that, a line each.
"""

import json
import sys
import typing
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from langfuse.api import CreateScoreRequest, ObservationsV2Response
from langfuse.api.core.pydantic_utilities import parse_obj_as
from langfuse.api.scores.types.create_score_batch_results import CreateScoreBatchResults

OBSERVATIONS, SCORES = Path(sys.argv[2]), Path(sys.argv[3])
PAGE = 15


class Langfuse(BaseHTTPRequestHandler):
    """Pages of observations, and scores."""

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        assert address.path == "/api/public/v2/observations", self.path
        seen = json.loads(OBSERVATIONS.read_text())
        at = int(parse_qs(address.query).get("cursor", ["0"])[0])
        rows = [
            {
                "id": f"o-{each['trace']}",
                "traceId": each["trace"],
                "startTime": datetime.now(UTC).isoformat(),
                "projectId": "p",
                "type": "SPAN",
                "isRootObservation": True,
                "input": {"question": each["question"]},
                "output": each["answer"],
            }
            for each in seen[at : at + PAGE]
        ]
        cursor = str(at + PAGE) if at + PAGE < len(seen) else None
        page = {"data": rows, "meta": {"cursor": cursor}}
        self._say(200, parse_obj_as(ObservationsV2Response, page).json())

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert self.path == "/api/public/scores", self.path
        scores = parse_obj_as(typing.List[CreateScoreRequest], sent)  # noqa: UP006 (as the SDK)
        assert [json.loads(score.json()) for score in scores] == sent, sent
        with SCORES.open("a") as file:
            file.writelines(json.dumps(each) + "\n" for each in sent)
        done = CreateScoreBatchResults(accepted=len(scores), rejected=0, errors=[])
        self._say(202, done.json())

    def _say(self, status: int, body: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Langfuse).serve_forever()
