"""Writes `openai_evals/log_*.jsonl` by running `oaieval`: `python oaieval_logs.py OUT`.

Four invented questions, one eval that matches answers and one that a model grades, against a chat
server on this machine that answers from a list in place of a model. It prints what `oaieval` reports.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ANSWERS = {
    "What freezes at 0 °C?": ("Water", "Water", "C"),
    "What barks?": ("A dog", "A cat", "D"),
    "What flies?": ("A sparrow", "A sparrow", "C"),
    "How many legs has a spider?": ("Eight", "Eight legs, in four pairs", "B"),
}
EVALS = """\
facts-match:
  id: facts-match.dev.v0
  metrics: [accuracy]
facts-match.dev.v0:
  class: evals.elsuite.basic.match:Match
  args: {samples_jsonl: SAMPLES}
facts-graded:
  id: facts-graded.dev.v0
  metrics: [accuracy]
facts-graded.dev.v0:
  class: evals.elsuite.modelgraded.classify:ModelBasedClassify
  args: {samples_jsonl: SAMPLES, eval_type: classify, modelgraded_spec: same}
"""
SAME = """\
same:
  prompt: |-
    Question: {input}
    Expert: {ideal}
    Submission: {completion}
    Is the submission the same (C), more (B) or another (D)?
  choice_strings: BCD
  choice_scores: {B: 0.5, C: 1.0, D: 0.0}
  input_outputs: {input: completion}
"""


class Chat(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = asked["messages"][-1]["content"]
        _, answer, grade = next(told for question, told in ANSWERS.items() if question in text)
        said = grade if "Submission:" in text else answer
        message = {"role": "assistant", "content": said}
        body = {
            **{"id": "c", "object": "chat.completion", "created": 1, "model": asked["model"]},
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_):
        """Say nothing."""


def main(out: Path) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Chat)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        registry = Path(folder)
        samples = registry / "samples.jsonl"
        lines = [
            {"input": [{"role": "user", "content": asked}], "ideal": right}
            for asked, (right, _, _) in ANSWERS.items()
        ]
        samples.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        for kind, text in (("evals", EVALS), ("modelgraded", SAME)):
            (registry / kind).mkdir()
            text = text.replace("SAMPLES", str(samples))
            (registry / kind / "facts.yaml").write_text(text, encoding="utf-8")
        told = {
            "OPENAI_API_KEY": "none",
            "OPENAI_BASE_URL": f"http://127.0.0.1:{server.server_port}/v1",
        }
        for name in ("match", "graded"):
            log = out / f"log_{name}.jsonl"
            log.unlink(missing_ok=True)
            command = ["oaieval", "gpt-3.5-turbo", f"facts-{name}", "--registry_path", folder]
            subprocess.run(
                [*command, "--record_path", str(log)], env=os.environ | told, check=True
            )
            text = log.read_text(encoding="utf-8").replace(folder, "REGISTRY")
            log.write_text(text, encoding="utf-8")


main(Path(sys.argv[1]))
