#!/bin/sh
# Writes results.json and results.jsonl; promptfoo has to be on the path. Nothing asks a model.
cd "$(dirname "$0")" || exit 1
export PROMPTFOO_CONFIG_DIR="$(mktemp -d)" PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_DISABLE_UPDATE=1
promptfoo eval -c promptfooconfig.yaml --no-cache --no-table -o results.json
promptfoo eval -c promptfooconfig.yaml --no-cache --no-table -o results.jsonl
true # promptfoo says by its exit status that some tests failed, which is meant
