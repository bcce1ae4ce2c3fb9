# One environment in .venv, made from requirements.lock. `make` alone lists the targets.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.locked
export SLUICEGATE_HOME ?= var

.PHONY: help setup run test crash ui bench lint lock clean
.DEFAULT_GOAL := help

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

setup: $(STAMP) ## make .venv from the lock file

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Sluicegate needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Remedy: make PYTHON=python3.12 setup")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@if command -v uv >/dev/null 2>&1; then UV=uv; else \
	  test -x $(BIN)/uv || $(BIN)/python -m pip install --quiet --disable-pip-version-check uv; UV=$(BIN)/uv; fi; \
	  $$UV pip install --quiet --compile-bytecode --python $(BIN)/python --require-hashes -r requirements.lock && \
	  $$UV pip install --quiet --python $(BIN)/python --no-deps --editable .
	@$(BIN)/python -m compileall -q quality assets pipelines sql
	@touch $(STAMP)

run: setup ## run the line on examples/ and print what happened
	@$(BIN)/python examples/run.py

test: setup ## run the tests
	@$(BIN)/python -m pytest -n auto --maxprocesses=4 --dist loadfile $(ARGS)

crash: setup ## kill a hundred runs at random points (POINTS=n for another number)
	@SLUICEGATE_CRASH_POINTS=$(or $(POINTS),100) $(BIN)/python -m pytest -q -s tests/pipeline/test_kill.py -k killed_anywhere

ui: setup ## open the Dagster UI on http://127.0.0.1:3000
	@$(BIN)/sluicegate ui

bench: setup ## measure speed and memory side by side with alternatives
	@$(BIN)/python -m tests.bench

lint: setup ## formatting, style and types
	@$(BIN)/ruff format --check . && $(BIN)/ruff check . && $(BIN)/mypy

lock: ## renew requirements.lock from pyproject.toml
	@uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 --group dev pyproject.toml -o requirements.lock

clean: ## remove the environment and the example home
	@rm -rf $(VENV) var
