# Two commands do it all: `make play` and `make test`. Both set up what they need, once.

PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
BIN := .venv/bin
READY := .venv/.ready

.PHONY: play client test torture lint bench strength load requirements clean

play: $(READY)
	@$(BIN)/mulligan serve --host 0.0.0.0 --open

# Builds the browser client anew, if anything in web/ has changed.
client: $(READY)
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .

test: $(READY)
	@$(BIN)/pytest --numprocesses=auto --dist=worksteal

# The long tests: thousands of simulated worlds, and the server killed two hundred times while people play.
torture: $(READY)
	@MULLIGAN_SEEDS=5000 $(BIN)/pytest --numprocesses=auto tests/worlds
	@MULLIGAN_KILLS=200 $(BIN)/pytest -s tests/server/test_server_kill.py

lint: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: $(READY)
	@$(BIN)/python bench/engine.py
	@$(BIN)/python bench/browser.py

# How strong the computer players are, into docs/strength.md; an hour, or MINUTES=… of your own.
strength: $(READY)
	@$(BIN)/python bench/strength.py --minutes $(or $(MINUTES),60)

# How many people one server carries; takes ten minutes and a quiet machine.
load: $(READY)
	@$(BIN)/python bench/load.py all

# Pins every package anew; run it after a change of the dependencies in pyproject.toml.
requirements: $(READY)
	$(BIN)/uv pip compile --quiet --universal --upgrade --no-emit-index-url --python-version 3.11 \
		--all-extras --group dev --output-file requirements.txt pyproject.toml

clean:
	rm -rf .venv

$(READY): requirements.txt pyproject.toml
	@test -n "$(PYTHON)" || { echo "Mulligan needs Python 3.11 or newer; no python3 here is." >&2; exit 1; }
	@echo "Setting up (once; some five minutes, most of it compiling) …"
	@$(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --disable-pip-version-check --requirement requirements.txt
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	@$(BIN)/python -m mulligan.server.bots
	@$(BIN)/mulligan simulate --players greedy --holes 1 >/dev/null
	@$(BIN)/python -m mulligan.server.lessons compile
	@touch $@
