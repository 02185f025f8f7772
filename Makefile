# What a developer does, by name. Needs Python 3.11 or newer and a C++20 compiler; everything else is
# installed into .venv. `make PYTHON=python3.12` takes another Python.

PYTHON ?= python3
ARGS ?=
# The whole suite goes to every core; some tests, asked for with ARGS, stay in one process, where `-s` and
# `--pdb` work and nothing has to start first.
CORES := $(if $(strip $(ARGS)),,-n auto --dist worksteal)

BIN := .venv/bin
CPP := $(wildcard core/*.?pp core/*/*.?pp bindings/*.?pp)
FILES := git ls-files -z --cached --others --exclude-standard

.PHONY: help
help:
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

# --- the development environment -------------------------------------------------------------------

.venv/.python .venvs/oldest/.python .venvs/release/.python .venvs/peers/.python .venvs/treeple/.python:
	@$(PYTHON) -c 'import sys; sys.exit("planetree needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	@touch $@

.venv/.built: .venv/.python pyproject.toml CMakeLists.txt $(CPP)
	$(BIN)/python -m pip install --quiet --group build
	$(BIN)/python -m pip install --quiet --no-build-isolation -Ccmake.define.PLANETREE_WERROR=ON \
		-e '.[all]' --group test --group exports
	@touch $@

.venv/.linters: .venv/.built pyproject.toml
	$(BIN)/python -m pip install --quiet --group lint
	@touch $@

.PHONY: develop hooks
develop: .venv/.built .venv/.linters  ## make .venv: the package (editable), the tests' and the linters' tools
hooks: .venv/.linters  ## run the quick linters at every commit
	$(BIN)/pre-commit install

# --- to try ----------------------------------------------------------------------------------------

.PHONY: demo
demo: .venv/.built  ## fit a tree to a bundled set, with ten-fold cross-validation
	@mkdir -p demo
	$(BIN)/planetree fit bundled:glass --min-leaf-rows 5 --pruner unpruned --cv 10 -o demo/glass.json

# --- to test ---------------------------------------------------------------------------------------

.PHONY: test test-oldest sanitize
test: .venv/.built  ## tests, docstring examples and the code of README.md (ARGS="-k tree" for some)
	$(BIN)/python -m pytest $(CORES) $(ARGS)

# The other end of what pyproject.toml declares; .venv has the newest.
.venvs/oldest/.built: .venvs/oldest/.python pyproject.toml CMakeLists.txt $(CPP)
	$(@D)/bin/python -m pip install --quiet --group build
	$(@D)/bin/python -m pip install --quiet --no-build-isolation -Cbuild-dir=build/oldest \
		-e '.[all]' --group test --group oldest
	@touch $@

test-oldest: .venvs/oldest/.built  ## the tests with the oldest scikit-learn, numpy, scipy ... we support
	$(<D)/bin/python -m pytest tests $(CORES) $(ARGS)

# The kernels under the address and undefined-behaviour sanitizers. The base interpreter is used, with
# .venv's packages on its path, so that the editable install's import hook stays out of the way.
# libstdc++ is preloaded too, or the sanitizer cannot see C++ exceptions; CPython leaks by design. -S keeps
# the base interpreter's own packages out; --capture=sys lets the sanitizers' reports through.
SANITIZED := build/sanitize/site
sanitize: .venv/.built  ## build the kernels with sanitizers and test them
	$(BIN)/cmake -S . -B build/sanitize -G Ninja -DPLANETREE_SANITIZE=ON -DPLANETREE_WERROR=ON \
		-DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS=-D_GLIBCXX_ASSERTIONS \
		-DCMAKE_MAKE_PROGRAM="$(CURDIR)/$(BIN)/ninja" -DPython_EXECUTABLE="$(CURDIR)/$(BIN)/python" \
		-Dnanobind_DIR="$$($(BIN)/python -m nanobind --cmake_dir)"
	$(BIN)/cmake --build build/sanitize
	rm -rf $(SANITIZED) && mkdir -p $(SANITIZED) && cp -R src/planetree $(SANITIZED)/
	$(BIN)/cmake --install build/sanitize --prefix $(SANITIZED)
	export PYTHONPATH="$(CURDIR)/$(SANITIZED):$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))')" \
		LD_PRELOAD="$$($${CXX:-c++} -print-file-name=libasan.so) $$($${CXX:-c++} -print-file-name=libstdc++.so)" \
		ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 && \
	python=$$($(BIN)/python -c 'import sys; print(sys._base_executable)') && \
	$$python -S -c 'from planetree import _core; assert "$(SANITIZED)" in _core.__file__, _core.__file__; \
		assert b"__asan_init" in open(_core.__file__, "rb").read()' && \
	$$python -S -m pytest -p no:cacheprovider --capture=sys $(wildcard tests/test_kernels*.py tests/fuzz) $(ARGS)

.PHONY: check-exports
check-exports: .venv/.built  ## prove on 100 000 rows that every export predicts what its tree predicts
	$(BIN)/python tools/check_exports.py $(ARGS)

# --- to lint ---------------------------------------------------------------------------------------

.PHONY: lint lint-python lint-types lint-layers lint-cpp lint-docs lint-spelling lint-paths format
lint: lint-python lint-types lint-layers lint-cpp lint-docs lint-spelling lint-paths  ## every linter
lint-python: .venv/.linters
	$(BIN)/ruff format --check
	$(BIN)/ruff check
lint-types: .venv/.linters
	$(BIN)/mypy
lint-layers: .venv/.linters
	$(BIN)/lint-imports
lint-cpp: .venv/.linters
	$(BIN)/clang-format --dry-run -Werror $(CPP)
lint-docs: .venv/.linters
	$(BIN)/python tools/check_docstrings.py
lint-spelling: .venv/.linters
	$(FILES) | xargs -0 $(BIN)/codespell
lint-paths:
	@! $(FILES) | xargs -0 grep -nIE '(^|[^[:alnum:]._~-])/(home|root|work|tmp|Users)/' || \
		{ echo 'the lines above name a folder of one machine'; exit 1; }

format: .venv/.linters  ## put Python and C++ into the project's format
	$(BIN)/ruff format
	$(BIN)/ruff check --fix
	$(BIN)/clang-format -i $(CPP)

# --- to document ---------------------------------------------------------------------------------

.venv/.documents: .venv/.built pyproject.toml
	$(BIN)/python -m pip install --quiet --group docs
	@touch $@

.PHONY: docs
docs: .venv/.documents  ## build the site in build/docs, run its gallery and check the links inside
	$(BIN)/python tools/build_docs.py

# --- to measure ------------------------------------------------------------------------------------

# The peers and planetree itself, built and installed as a wheel would be.
.venvs/peers/.built: .venvs/peers/.python benchmarks/peers.txt pyproject.toml CMakeLists.txt $(CPP) \
		$(wildcard src/planetree/*.py src/planetree/*/*.py)
	$(@D)/bin/python -m pip install --quiet --upgrade -r benchmarks/peers.txt --group build
	$(@D)/bin/python -m pip install --quiet --no-build-isolation -Cbuild-dir=build/peers .
	@touch $@

# Of these one may not install here; the benchmark's report then says so. treeple needs an older scikit-learn.
.venvs/peers/.planes: .venvs/peers/.built benchmarks/peers-planes.txt
	for peer in $$(grep -v '#' benchmarks/peers-planes.txt); do \
		$(@D)/bin/python -m pip install --quiet --upgrade $$peer || true; done
	@touch $@

.venvs/treeple/.planes: .venvs/treeple/.python
	$(@D)/bin/python -m pip install --quiet --upgrade treeple 'scikit-learn==1.7.*' || true
	@touch $@

.PHONY: bench-planes
bench-planes: .venvs/peers/.planes .venvs/treeple/.planes  ## trees of planes against other packages (ARGS="--only bit2")
	$(<D)/bin/python benchmarks/planes.py $(ARGS)

.PHONY: bench-j48
bench-j48: .venv/.built  ## C4.5 beside Weka's J48 (needs Java)
	.venv/bin/python -m pip wheel --quiet --no-deps python-weka-wrapper3 -w build/j48
	.venv/bin/python benchmarks/j48.py build/j48/python_weka_wrapper3-*.whl

.PHONY: bench-grow
bench-grow: .venvs/peers/.built  ## time threshold trees against scikit-learn, YDF and LightGBM (ARGS=--quick)
	$(<D)/bin/python benchmarks/grow.py $(ARGS)

.PHONY: papers
papers: .venv/.built  ## do the published comparisons again (ARGS=--quick, or ARGS="--write docs/papers")
	mkdir -p build/papers
	for paper in 000 001 002 003 004; do \
		$(BIN)/planetree reproduce $$paper --cache build/papers -o build/papers/$$paper.txt $(ARGS) || exit 1; done

.PHONY: when
when: .venv/.built  ## compare trees with what else there is, for the table of docs/when.md
	$(BIN)/python benchmarks/when.py

.PHONY: defaults
defaults: .venv/.built  ## what else the default system could be, on the development sets
	$(BIN)/python benchmarks/defaults.py

.PHONY: questions
questions: .venv/.built  ## measure what the papers left open, for docs/questions (ARGS="--only 4")
	$(BIN)/python benchmarks/questions.py $(ARGS)

.PHONY: bench-bench
bench-bench: .venv/.built  ## time the bench on 100,000 tiny cells and kill it 50 times (ARGS=--quick)
	$(BIN)/python benchmarks/bench.py $(ARGS)

# treeple needs a scikit-learn of its own.
.venvs/treeple/.built: .venvs/treeple/.python
	$(@D)/bin/python -m pip install --quiet 'scikit-learn==1.7.*' treeple
	@touch $@

# Weka's jars, for J48 and LMT.
build/weka: .venv/.python
	$(BIN)/python -m pip wheel --quiet --no-deps python-weka-wrapper3 -w build/j48
	rm -rf $@.part && mkdir -p $@.part
	cd $@.part && $(CURDIR)/$(BIN)/python -m zipfile -e "$$(ls $(CURDIR)/build/j48/python_weka_wrapper3-*.whl)" wheel
	mv "$$(dirname "$$(find $@.part -name weka.jar)")" $@ && rm -rf $@.part

.PHONY: bench-frontier
bench-frontier: .venvs/peers/.built .venvs/treeple/.built build/weka  ## accuracy against size, beside other tools (ARGS="--only wine")
	$(<D)/bin/python benchmarks/frontier.py $(ARGS)

.PHONY: time-report
time-report: .venv/.built  ## time the report page of large trees in headless Chromium (ARGS=--write keeps the figures)
	$(BIN)/python tools/time_report.py $(ARGS)

# --- to release ------------------------------------------------------------------------------------

.venvs/release/.built: .venvs/release/.python pyproject.toml
	$(@D)/bin/python -m pip install --quiet --group release
	@touch $@

.PHONY: release-check release
release-check: .venvs/release/.built  ## build sdist and wheel, check them, use the wheel in a new environment
	rm -rf dist .venvs/wheel
	$(<D)/bin/python -m build --outdir dist
	$(<D)/bin/python -m twine check --strict dist/*
	$(<D)/bin/python -m venv .venvs/wheel
	.venvs/wheel/bin/python -m pip install --quiet "$$(echo dist/*.whl)[cli]"
	.venvs/wheel/bin/python tools/check_wheel.py

release: .venvs/release/.built  ## make release VERSION=1.2.3: test, write the changelog, commit and tag
	$(<D)/bin/python tools/release.py $(VERSION)

# --- to tidy up ------------------------------------------------------------------------------------

.PHONY: clean distclean
clean:  ## remove what was built, but keep the environments
	rm -rf build dist demo .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	rm -f .venv/.built .venvs/*/.built
	find $(wildcard src tests tools benchmarks) -name __pycache__ -prune -exec rm -rf {} +
distclean: clean  ## remove the environments as well
	rm -rf .venv .venvs .nox
