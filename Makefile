# `make run` and `make test` are the two commands of the README: each works on a fresh Debian 12 with Swift 6.3, alone and first.

.PHONY: run test build release lint format dependencies clean
.DEFAULT_GOAL := build

DEMO_SECONDS ?=

run: dependencies
	swift build -c release
	exec .build/release/tidings demo $(if $(DEMO_SECONDS),--seconds $(DEMO_SECONDS))

# One test after the other: many run processes and servers of their own, and their deadlines want a machine to
# themselves.
test: dependencies
	swift test --no-parallel

build: dependencies
	swift build

release: dependencies
	swift build -c release

lint:
	swift format lint --strict --recursive Package.swift Shared Services Tests
	Scripts/check-conventions.sh

format:
	swift format --in-place --recursive Package.swift Shared Services Tests

dependencies:
	@Scripts/install-dependencies.sh

clean:
	rm -rf .build
