# `make demo` and `make test` need only python3 and make.
# To use another interpreter: make test PYTHON=/path/to/python3.12 VENV=.venv-3.12

PYTHON ?= python3
VENV ?= .venv
PYTEST_ARGS ?=
# One more than there are processors, because many tests wait.
WORKERS ?= $(shell expr $$(nproc) + 1)
BENCH_ARGS ?=
MINUTES ?= 10
TARGETS ?=
SEED ?=

BIN := $(VENV)/bin
# The tests start thousands of processes, so bytecode is always cached.
export PYTHONDONTWRITEBYTECODE :=
MAKEFLAGS += --no-print-directory

.DEFAULT_GOAL := help
# The set-up steps share one virtual environment, so they never run beside each other.
.NOTPARALLEL:
.PHONY: help demo test test-all check format fuzz bench picture coverage dist docs clean

help:
	@echo "make demo      set up what is needed and show fumehood at work"
	@echo "make test      set up what is needed and run the tests, except the extended ones"
	@echo "make test-all  set up what is needed and run all tests"
	@echo "make check     lint, format check and strict types"
	@echo "make format    let ruff fix and format"
	@echo "make fuzz      search for inputs that break a parser or the checker: MINUTES=10 for each of TARGETS (all), from SEED (a new one)"
	@echo "make bench     run all benchmarks, write benchmarks/results.json and its chart, say which bars are missed"
	@echo "make picture   draw the picture of the README: an agent's run on a terminal"
	@echo "make coverage  run the tests and say, ring by ring, how many lines they reach"
	@echo "make dist      build the wheel and the source archive into dist/"
	@echo "make docs      build the documentation into build/docs"
	@echo "make clean     remove the environments and caches"

demo: $(VENV)/.ready-demo
	@$(BIN)/python examples/demo.py

test: $(VENV)/.ready-dev
	@$(BIN)/python -m pytest -n $(WORKERS) -q -m "not extended" -p no:schemathesis $(PYTEST_ARGS)

test-all: $(VENV)/.ready-dev
	@$(BIN)/python -m pytest -n $(WORKERS) -q $(PYTEST_ARGS)

check: $(VENV)/.ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.ready-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

fuzz: $(VENV)/.ready-dev
	@$(BIN)/python -m tests.fuzz $(TARGETS) --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

# The others are shown beside us where they can be installed; without them the comparison is with plain exec. BENCH_ARGS=--quick to try it.
bench:
	@$(MAKE) $(VENV)/.ready-bench || { echo "smolagents or pydantic-monty cannot be installed here: going on without" >&2; $(MAKE) $(VENV)/.ready-dev; }
	@$(BIN)/python benchmarks/everything.py $(BENCH_ARGS)

# The picture of the README. The same code gives the same picture; a test says when it is not what is stored.
picture: $(VENV)/.ready-dev
	@$(BIN)/python docs/pictures/agent_run.py

# Lines that the tests run, by ring. What is not counted, and why, is said in tests/covered.py.
coverage: $(VENV)/.ready-dev
	@$(BIN)/python tests/covered.py $(PYTEST_ARGS)

# The wheel is made from the source archive, so that one that lacks something is noticed here. Not isolated: what builds them is in `dev`.
dist: $(VENV)/.ready-dev
	@rm -rf dist
	@$(BIN)/python -m build --no-isolation --outdir dist .
	@ls -l dist

# A warning is an error, and nothing is fetched. (The theme's authors speak of their next product at every build.)
docs: $(VENV)/.ready-docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "build/docs/index.html"

clean:
	rm -rf .venv .venv-* build dist .pytest_cache .ruff_cache .mypy_cache .hypothesis
	find src tests examples benchmarks -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

# One stamp per set of extras. It is written last, so an interrupted set-up starts again, and it is older than
# a changed pyproject.toml or _spawn.c, so new dependencies are installed and the library is built again. The checks come
# first and say what to do.
$(VENV)/.ready-%: pyproject.toml hatch_build.py src/fumehood/jail/_spawn.c
	@command -v $(PYTHON) >/dev/null 2>&1 || { \
	  echo "fumehood needs Python 3.11 or newer, and '$(PYTHON)' was not found; name one with PYTHON=…" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "fumehood needs Python 3.11 or newer, and '$(PYTHON)' is $$($(PYTHON) -V 2>&1); name another with PYTHON=…" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "this Python cannot make virtual environments; install python3-venv (Debian, Ubuntu: apt-get install python3-venv)" >&2; exit 1; }
	@echo "setting up $(VENV) for '$*' (only the first time, and when pyproject.toml changes)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python .ci/install.py --editable '.[$*]'
	@touch $@
