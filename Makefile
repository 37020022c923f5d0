# Two commands are all that one needs: `make demo` and `make test`. Each sets up what is missing first.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := demo

# `make test BUILD=quick` skips the optimised WebAssembly: for day-to-day work.
BUILD ?= release

CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/mongovet
TOOLS := $(CACHE)/tools
STAMPS := target/stamps
BINDGEN_VERSION := $(shell sed -n '/^name = "wasm-bindgen"$$/{n;s/version = "\(.*\)"/\1/p}' Cargo.lock)
SOURCES := $(shell find src js pkg/package.json pkg/README.md -type f) Cargo.toml Cargo.lock .cargo/config.toml
WWW := $(shell find www -type f -not -path 'www/dist/*')

export PATH := $(TOOLS)/bin:$(PATH)

.PHONY: demo test build setup
.DELETE_ON_ERROR:

## Vets the bundled shop: findings, then the advice.
demo: build
	@echo '$$ node js/cli.mjs check examples/shop'
	@node js/cli.mjs check examples/shop || test $$? -eq 1
	@echo '$$ node js/cli.mjs advise examples/shop'
	@node js/cli.mjs advise examples/shop

## Runs all tests, and ends with how many passed, failed and were skipped.
test: build $(STAMPS)/debug-pkg $(STAMPS)/www $(STAMPS)/test-setup
	@node tests/run.mjs

## The package in pkg/, with its WebAssembly.
build: $(STAMPS)/pkg-$(BUILD)

setup: $(STAMPS)/target $(STAMPS)/npm $(TOOLS)/wasm-bindgen-$(BINDGEN_VERSION) $(TOOLS)/wasm-pack

$(STAMPS)/pkg-$(BUILD): $(SOURCES) | setup
	node js/build.mjs $(if $(filter quick,$(BUILD)),--quick)
	@rm -f $(STAMPS)/pkg-*
	@touch $@

# A second package, which can be made to trap on purpose.
$(STAMPS)/debug-pkg: $(SOURCES) | setup
	node js/build.mjs --quick --out target/pkg-quick
	@touch $@

$(STAMPS)/www: $(STAMPS)/pkg-$(BUILD) $(WWW)
	npm run --silent www
	@touch $@

$(STAMPS)/npm: package.json package-lock.json | $(STAMPS)
	npm ci --ignore-scripts
	@touch $@

$(STAMPS)/target: | $(STAMPS)
	@if command -v rustup > /dev/null; then rustup target add wasm32-unknown-unknown; \
	else echo 'Rust is missing: install rustup, then run this again' >&2; exit 1; fi
	@touch $@

$(TOOLS)/wasm-bindgen-$(BINDGEN_VERSION):
	cargo install --debug wasm-bindgen-cli --version $(BINDGEN_VERSION) --root $(TOOLS) --force
	@touch $@

$(TOOLS)/wasm-pack:
	cargo install --debug wasm-pack --locked --root $(TOOLS) --force
	@touch $@

# Chromium for the browser tests; a JDK with Maven for the server that the mongosh tests talk to.
$(STAMPS)/test-setup: tests/setup.sh | $(STAMPS)
	@bash tests/setup.sh
	@touch $@

$(STAMPS):
	@mkdir -p $@
