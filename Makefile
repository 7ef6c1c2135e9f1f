# The two commands of the README are `make demo` and `make test`; `make help` lists the rest.
# Everything made goes to build/ (and demo/, the demo's pages).
.DEFAULT_GOAL := build
.PHONY: help build demo test check-all bench results coverage wheel archives format tidy docs docs-site install clean

PREFIX ?= /usr/local
# The stages of `make test` to run; empty: all. For instance: make test STAGES="release python"
STAGES ?=
# A program that lays the LETOR sets out in a folder; the real-data tests are skipped without them.
LETOR_LAYOUT ?= ../shared/data/lay-out-folds

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## install what is missing and build the release
	@tools/install_dependencies build
	@tools/build release

demo: ## make a data set, train a model on it, measure it, and draw a page
	@tools/install_dependencies build demo
	@tools/build release rankine_cli
	@tools/demo build/release/cli/rankine

test: ## install, build and pass every test, with short sanitizer and fuzzer runs
	@tools/install_dependencies build demo test
	@LETOR_LAYOUT="$(LETOR_LAYOUT)" tools/run_tests $(STAGES)

check-all: ## every preset, built and tested in full
	@tools/install_dependencies build demo test
	@LETOR_LAYOUT="$(LETOR_LAYOUT)" tools/run_tests --full $(STAGES)

bench: ## build and run the benchmarks
	@tools/install_dependencies build bench
	@tools/build release
	@tools/run_benchmarks

results: ## make the tables of docs/results.md from the LETOR sets (RANKINE_LETOR_DIR or build/letor)
	@tools/install_dependencies build demo
	@tools/build release rankine_cli
	@tools/make_results.py

coverage: ## count the lines that the tests run: a table, and pages in build/coverage
	@tools/install_dependencies build demo test coverage
	@tools/coverage

wheel: ## build a wheel of the Python package in build/wheels
	@tools/install_dependencies build test
	@tools/install_package --wheel

archives: build ## make the archives of a release in build/archives: the source, and what is installed
	@tools/make_archives

format: ## lay out C++ as clang-format does, and mend what ruff can mend in Python
	@tools/install_dependencies test
	@tools/check_format.py . --fix
	@tools/check_python.py . --fix

tidy: ## check names with clang-tidy
	@tools/install_dependencies build test
	@tools/check_tidy.py .

docs: ## write the generated pages of docs/ again
	@tools/install_dependencies build demo test
	@tools/build release rankine_cli
	@build/release/cli/rankine help --markdown > build/options.md && mv build/options.md docs/options.md
	@tools/install_package
	@build/venv/bin/python tools/make_python_api.py > build/api.md && mv build/api.md docs/python/api.md

docs-site: ## make the documentation a site in build/site
	@tools/install_dependencies docs
	@tools/docs_site

install: build ## install to PREFIX (default /usr/local)
	cmake --install build/release --prefix "$(PREFIX)"

clean: ## remove everything that was made
	rm -rf build demo
