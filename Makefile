# Each target is a line or two that a person could type. `make help` lists them.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PORT ?= 8000
BENCH ?= $(VENV)

.DEFAULT_GOAL := help
.PHONY: run test test-slow check types layers docs bench bench-peers load hooks help

run: $(VENV)/.base  ## Set up what is missing and serve the product with its demo board
	$(BIN)/arena up --demo --port $(PORT)

test: $(VENV)/.test  ## Set up what is missing and run the tests
	$(BIN)/python -m pytest -n 2 --dist loadgroup

test-slow: $(VENV)/.test  ## The long simulations; they write their figures to docs/reference
	$(BIN)/python -m pytest -m slow

check: $(VENV)/.test types layers  ## Everything that reads the code without running it
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/deptry .
	$(BIN)/codespell

types: $(VENV)/.test  ## Types, strictly
	$(BIN)/mypy

layers: $(VENV)/.test  ## Who may import whom
	$(BIN)/lint-imports

docs: $(VENV)/.test  ## Build the documentation into site/
	$(BIN)/zensical build --strict

bench: $(VENV)/.test  ## Measure beside peers, as ratios in one run; writes docs/reference/benchmarks.md
	$(BENCH)/bin/python -m benchmarks

bench-peers:  ## An environment of its own for more peers: then `make bench BENCH=.venv-bench`
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/pip install --quiet --editable '.[test]' -r benchmarks/peers.txt

load: $(VENV)/.test  ## Measure voting and reading under load, on this machine alone
	$(BIN)/python -m loadtests

hooks: $(VENV)/.test  ## Check each commit before it is made
	$(BIN)/pre-commit install

help:  ## List the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 12

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: requirements.lock pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --no-deps --editable .
	@touch $@

$(VENV)/.test: requirements-test.lock pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --require-hashes -r requirements-test.lock
	$(BIN)/pip install --quiet --no-deps --editable .
	@touch $@ $(VENV)/.base
