# make install | install-models | demo | test | test-slow | test-faults | check | bench | docs | screenshots | format |
#      messages | lock | release | clean
#
# Needs python3 (3.11 or newer) and make, nothing else; see CONTRIBUTING.md.

VENV := .venv
BIN := $(VENV)/bin
# Stamps say which lock file the environment holds, so a second run has nothing to do.
CORE := $(VENV)/.core
DEV := $(VENV)/.dev
MODELS := $(VENV)/.models
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet install --prefer-binary
MKDOCS := NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
# One more than a small machine has processors: a test that waits leaves its own to another. More of
# them take longer: each collects the tests and starts a browser of its own.
JOBS ?= 3
PYTEST := $(BIN)/python -m pytest -n $(JOBS)

# The first of these that is new enough; PYTHON=... chooses another.
PYTHONS := python3 python3.14 python3.13 python3.12 python3.11
NEW_ENOUGH := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))

# One recipe at a time: the suites share ports, processors and the terminal.
.NOTPARALLEL:
.DEFAULT_GOAL := install
.PHONY: install install-dev install-models browser demo test test-sqlite test-postgres test-slow test-faults check bench \
        docs screenshots format messages lock release clean

install: $(CORE)

install-dev: $(DEV)

# For judges that run a model on this machine: PyTorch and transformers, about 1.5 GB.
install-models: $(MODELS)

$(BIN)/python:
	@for python in $(PYTHON) $(PYTHONS); do \
	  if "$$python" -c '$(NEW_ENOUGH)' 2>/dev/null; then \
	    echo "Making $(VENV) with $$("$$python" --version)"; \
	    exec "$$python" -m venv $(VENV); \
	  fi; \
	done; \
	echo "Jurybox needs Python 3.11 or newer with venv (on Debian: apt install python3-venv)." >&2; \
	exit 1

$(CORE): requirements.txt | $(BIN)/python
	@echo "Installing requirements.txt"
	@$(PIP) -r requirements.txt
	@touch $@

$(DEV): requirements-dev.txt | $(CORE)
	@echo "Installing requirements-dev.txt"
	@$(PIP) -r requirements-dev.txt
	@touch $@ $(CORE)

# Where the pip options offer a PyTorch built for the processor alone, pip takes that one.
$(MODELS): requirements-models.txt | $(CORE)
	@echo "Installing requirements-models.txt"
	@$(PIP) -r requirements-models.txt
	@touch $@

# exec, so that a signal to make's child reaches the program itself.
demo: install
	@exec $(BIN)/python manage.py demo

# A Chromium on the PATH is used as it is; without one, Playwright's own is fetched.
browser: install-dev
	@command -v chromium-headless-shell >/dev/null \
	  || command -v chromium >/dev/null || command -v chromium-browser >/dev/null \
	  || command -v google-chrome >/dev/null || command -v google-chrome-stable >/dev/null \
	  || $(BIN)/python -m playwright install chromium

# The tests of local models skip, and say so, where `make test MODELS=` leaves PyTorch out.
test: test-sqlite test-postgres

test-sqlite: browser $(MODELS)
	@echo "The suite on SQLite"
	@env -u DATABASE_URL $(PYTEST) --keep-statements

# What touches no database, or asks it only what other tests ask, has run on SQLite. Exit status 77:
# there is no PostgreSQL to be had.
test-postgres: browser $(MODELS)
	@echo "The tests that touch the database, on PostgreSQL"
	@status=0; \
	$(BIN)/python -m tests.services.postgres -- $(PYTEST) --database-tests-only || status=$$?; \
	if [ $$status -eq 77 ]; then echo "Skipped on PostgreSQL."; else exit $$status; fi

test-slow: browser $(MODELS)
	@$(PYTEST) -m slow

# A crowd works while processes, disks, clocks and connections fail: each kind once on both settings,
# or FAULTS=1000 of them; FAULTS_SEED=2 draws others. It needs PostgreSQL, Redis, and root for disks.
test-faults: install-dev
	@$(BIN)/python -m pytest -m faults -s tests/faults

check: install-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(MKDOCS) --quiet
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec docker-compose.yml

bench: install-dev $(MODELS)
	$(BIN)/python -m bench

# The site in var/site, with the tables that are made from the code. `.venv/bin/mkdocs serve` shows it.
docs: install-dev
	$(BIN)/python -m docs.example_report
	$(MKDOCS)

# The pictures of the README, from a demo on an empty data folder, and those of the tutorial.
screenshots: browser
	$(BIN)/python -m docs.screenshots

format: install-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# For who changes a text or adds a language; needs GNU gettext. docs/languages.md says more.
# Researchers' pages are in English: what they alone read is left out. A test holds that this list
# and the catalogues agree; `make messages RESEARCHERS=` takes the texts of their pages as well.
RESEARCHERS := accounts/* alerts/* api/* config/* desk/* endpoints/* estimates/* files/* imports/* jobs/* judges/* recruitment/* results/* exports/* generators/* label_table/* marking/* workbench/* set_up/* telemetry/* templates/base.html templates/403.html \
  annotation/models/* annotation/rounds/opening.py annotation/pay/rewards.py annotation/rounds/team/table.py annotation/work/ledger.py \
  annotation/work/review.py tasktypes/*/measures.py tasktypes/*/metrics.py
OF_NOBODY := bench/* docs/* jurybox/* tests/* var/*
messages: install-dev
	$(BIN)/python manage.py makemessages --all --add-location file --no-obsolete --no-wrap \
	  $(foreach pattern,$(OF_NOBODY) $(RESEARCHERS),--ignore "$(pattern)")
	$(BIN)/python manage.py compilemessages --verbosity 0 --ignore "$(VENV)/*" --ignore "var/*"

# docs/decisions/0001 says why these are requirements files.
# UPGRADE=--upgrade takes newer versions. Needs uv, on the PATH or named by UV=...
UV ?= uv
LOCK := pip compile pyproject.toml --universal --python-version 3.11 \
        --no-emit-index-url --no-emit-find-links --quiet
HASHED := $(LOCK) --generate-hashes
# A clone and an image have the whole program, and read pages behind links.
PROGRAM := --extra server --extra pages
lock:
	$(UV) $(HASHED) $(UPGRADE) $(PROGRAM) -o requirements.txt
	$(UV) $(HASHED) $(UPGRADE) $(PROGRAM) --extra check --extra docs --extra test -c requirements.txt \
	  -o requirements-dev.txt
	$(UV) $(LOCK) $(UPGRADE) $(PROGRAM) --extra models -c requirements-dev.txt --annotation-style line \
	  | grep -vE '^(cuda|nvidia|triton)' >requirements-models.txt

# The source archive, the wheel and what goes into the image, in dist/, each of them checked: read by
# twine, and the wheel installed in an environment of its own. It uploads nothing.
release: install-dev
	@exec .ci/release

clean:
	rm -rf dist
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
