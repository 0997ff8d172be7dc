"""A chat server that we did not write: `transformers serve` with a tiny model of random weights.

It needs the packages of the extras `test` and `models`; where they are not installed, this skips.
"""

import importlib.util
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from judges.definitions.versions import define_judge
from judges.runs.plans.plan import plan_run
from tests.cast import make_study
from tests.judges.endpoints import write_endpoints
from tests.judges.scripted_judges import ONE_BLOCK, work_all
from tests.services.ports import free_port

NEEDED = ("fastapi", "uvicorn", "accelerate", "torch", "transformers")
MISSING = [name for name in NEEDED if importlib.util.find_spec(name) is None]
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.services,
    pytest.mark.skipif(bool(MISSING), reason=f"`transformers serve` needs {', '.join(MISSING)}"),
]
UP_WITHIN_SECONDS = 120


def tiny_chat_model(folder: Path) -> Path:
    """A Llama with two layers, and a tokenizer with a chat template; it conversations nonsense."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    torch.manual_seed(0)
    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=300, special_tokens=["<s>", "</s>"], initial_alphabet=alphabet
    )
    raw.train_from_iterator(["A claim and its evidence."], trainer)
    words = PreTrainedTokenizerFast(tokenizer_object=raw, bos_token="<s>", eos_token="</s>")
    words.chat_template = "{% for m in messages %}{{ m['content'] }}{% endfor %}"
    config = LlamaConfig(
        vocab_size=len(words),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=8192,
        bos_token_id=0,
        eos_token_id=1,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


@pytest.fixture
def foreign_server(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Its base URL, and the name of the model."""
    model, port = str(tiny_chat_model(tmp_path / "model")), free_port()
    command = [sys.executable, "-c", "from transformers.cli.transformers import main; main()"]
    options = ["serve", model, "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    log = tmp_path / "serve.log"
    with (
        log.open("wb") as out,
        subprocess.Popen([*command, *options], env=environment, stdout=out, stderr=out) as server,
    ):
        try:
            deadline = time.monotonic() + UP_WITHIN_SECONDS
            while not answers(port):
                assert server.poll() is None, log.read_text(encoding="utf-8")[-2000:]
                assert time.monotonic() < deadline, log.read_text(encoding="utf-8")[-2000:]
                time.sleep(0.2)
            yield f"http://127.0.0.1:{port}/v1", model
        finally:
            server.terminate()


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5):
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


def test_its_nonsense_is_counted_as_what_it_is(
    foreign_server: tuple[str, str], tmp_path: Path, settings: Settings
) -> None:
    url, model = foreign_server
    prices = {"*": {"input": 1, "output": 1}}
    file = write_endpoints(
        tmp_path / "endpoints.yaml", url, prices=prices, in_flight=2, timeout_seconds=60
    )
    settings.JUDGE_ENDPOINTS = str(file)
    study = make_study(blocks=ONE_BLOCK, sources=3)
    judge = define_judge(
        study=study,
        name="nonsense",
        method="zero_shot",
        backend="chat",
        model=model,
        parameters={"max_tokens": 12},
    )
    run = work_all(plan_run(study=study, judge=judge, subset=""))
    calls = list(run.calls.all())
    assert run.state == "failed", run.reason
    assert {call.status for call in calls} <= {"truncated", "parse_failure"}
    for call in calls:
        assert call.tokens_in is not None
        assert call.tokens_out is not None
        assert 0 < call.tokens_out <= 12
        assert call.cost is not None
        assert call.cost > 0
        assert call.detail["finish_reason"] in ("length", "stop")
