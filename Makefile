# Everything runs in .venv, which `make setup` builds from the lock. Needs Python 3.11 or later with its venv module.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Else every process would compile all of its sources anew: for the tests that is some hundred times.
unexport PYTHONDONTWRITEBYTECODE
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: help setup demo test lint format bench bench-large soak lock clean

help:
	@echo "make setup        build .venv from the lock (quick when nothing changed)"
	@echo "make demo         bots play a few hundred hands; everything is checked and shown"
	@echo "make test         lint, then every test but the soak"
	@echo "make lint         ruff, mypy --strict, import-linter"
	@echo "make format       let ruff mend what it can"
	@echo "make bench        speed, side by side with others; bench-large: over 10^5 and 10^6 hands, some hours"
	@echo "make soak         the long tests"
	@echo "make lock         pin the dependencies of pyproject.toml anew (needs uv)"
	@echo "make clean        remove .venv and everything that was built"

setup: $(VENV)/.installed

# Two stamps: only a changed lock needs the network.
$(VENV)/.locked: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Handlog needs Python 3.11 or later; try make PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
		|| { echo "$(PYTHON) can't make environments; on Debian or Ubuntu install python3-venv"; exit 1; }
	@echo "Building $(VENV) ..."
	@$(PYTHON) -m venv --clear $(VENV)
	@$(PIP) install --no-compile --require-hashes --requirement requirements.lock
	@touch $@

$(VENV)/.installed: $(VENV)/.locked pyproject.toml
	@$(PIP) install --no-index --no-deps --no-build-isolation --editable .
	@touch $@

demo: setup
	$(BIN)/handlog demo

test: setup lint
	$(BIN)/python -m pytest -n 2 --no-loadscope-reorder

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup
	$(BIN)/python -m tests.bench

bench-large: setup
	$(BIN)/python -m tests.bench --large

soak: setup
	$(BIN)/python -m pytest -m soak -o faulthandler_timeout=0

lock:
	uv pip compile --quiet --universal --python-version 3.11 --extra dev --generate-hashes --no-emit-index-url \
		--custom-compile-command "make lock" --output-file requirements.lock $(LOCKFLAGS) pyproject.toml

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
