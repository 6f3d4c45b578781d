# `make run` and `make test` are the two commands of the README. Each works on a fresh Debian 12 with Swift 6.3, without the other.

.PHONY: run test simulate chaos chaos-ha two-hosts rolling-upgrade takeover power-cut slow-subscriber demo-starts hostile-feed sanitize nightly nightly-test build \
    release bench fuzz gallery symbols lint format count contract dependencies test-dependencies \
    clean install uninstall compose-test examples gateway-test bus-test kubernetes-check \
    browser-test screenshots page-images
.DEFAULT_GOAL := build

DEMO_SECONDS ?=
DEMO_STARTS ?= 20
PREFIX ?= /usr/local
DESTDIR ?=
ENGINE_SETUP ?=
BENCH ?=
FUZZ ?=
FUZZ_SECONDS ?= 60
CHAOS_KILLS ?= 150
CHAOS_SECONDS ?= 210
CHAOS_SEED ?=
CHAOS_FAULTS ?= 100
CHAOS_ASYNCHRONOUS ?=
OLD ?= .build/release
SINCE ?=
SANITIZER ?=
SLOW_SECONDS ?= 60
SLOW_CYCLES ?= 1000

# Sources of nested packages.
NESTED = $(foreach package,Benchmarks Examples/swift,$(package)/Package.swift $(package)/Sources)

run: release
	exec .build/release/tidings demo $(if $(DEMO_SECONDS),--seconds $(DEMO_SECONDS))

test: test-dependencies
	Scripts/test.sh

# Runs the long forms of the tests, and what explores with real processes; goes on after a failure, and fails in the end.
nightly:
	$(MAKE) --jobs=1 --keep-going nightly-test sanitize simulate chaos takeover two-hosts fuzz

# The tests of `make test` with more repetitions, seeds, documents and combinations.
nightly-test: test-dependencies
	TIDINGS_NIGHTLY=1 Scripts/test.sh

# Runs the tests that need no running system under the address and the thread sanitizer. SANITIZER selects one of them.
sanitize: test-dependencies
	Scripts/sanitize.sh $(SANITIZER)

# Tests the Today page and the operations page in Chromium. `make test` runs a short form. CHECK selects one check.
browser-test: test-dependencies
	Scripts/build.sh
	Scripts/page-test.py $(if $(CHECK),--only $(CHECK))

# Writes pictures of every state of the pages, at three widths, light and dark, to .build/screenshots.
screenshots: test-dependencies
	Scripts/build.sh
	Scripts/page-test.py --screenshots .build/screenshots

# The same, and the pictures of the pages in the documentation.
page-images: test-dependencies
	Scripts/build.sh
	Scripts/page-test.py --screenshots .build/screenshots --documentation docs/images

# Simulates all services in one process with crashes and lost messages: SEEDS runs of CYCLES cycles each, starting at seed FROM.
# SEED repeats one run and prints the history of its failure. VARIANT breaks one rule of the protocol.
SEEDS ?= 2000
FROM ?= 0
CYCLES ?= 500
VARIANT ?=
simulate: dependencies
	TIDINGS_SIMULATION_SEEDS=$(if $(SEED),1,$(SEEDS)) TIDINGS_SIMULATION_FROM=$(if $(SEED),$(SEED),$(FROM)) \
	TIDINGS_SIMULATION_CYCLES=$(CYCLES) $(if $(VARIANT),TIDINGS_SIMULATION_VARIANT=$(VARIANT)) TIDINGS_TESTS=SimulationTests \
	swift test -c release -Xswiftc -enable-testing -Xswiftc -enforce-exclusivity=unchecked --scratch-path .build/simulation \
	--disable-xctest --filter 'SimulationTests.SimulationTests/nothingIsLost'

build: dependencies
	Scripts/build.sh

# The executables, without what only tests use.
release: dependencies
	Scripts/install.sh build

# Runs benchmarks, each with a reference in the same run. BENCH selects some of them (default: all).
bench:
	@Scripts/install-dependencies.sh build bench
	Benchmarks/run.py $(BENCH)

# Runs libFuzzer on each parser for FUZZ_SECONDS. FUZZ selects some of them (default: all).
fuzz:
	@Scripts/install-dependencies.sh build
	FUZZ_SECONDS='$(FUZZ_SECONDS)' Scripts/fuzz.sh $(FUZZ)

# Draws every kind of widget on every device and text size, light and dark, to .build/gallery. Fails if a layout breaks a rule.
gallery: dependencies
	Scripts/build.sh --product LayoutGallery
	.build/debug/LayoutGallery .build/gallery

# The picture of all symbols in the documentation, and their table for the page.
symbols: dependencies
	Scripts/build.sh --build-tests
	.build/debug/LayoutGallery --symbols
	RECORD_GOLDEN_FILES=1 swift test --skip-build --disable-xctest --filter PageSymbolsTests

# PREFIX and DESTDIR as everywhere. Where `swift` is on nobody's path, as with sudo, it installs what `make release` built.
install:
	@if command -v swift >/dev/null; then Scripts/install-dependencies.sh build fonts install && Scripts/install.sh build; fi
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' Scripts/install.sh install

uninstall:
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' Scripts/install.sh uninstall

# Builds the image, runs the demo, scales it, kills services, checks that they recover, and removes everything. If there is no
# container engine, the script ENGINE_SETUP runs first.
compose-test:
	ENGINE_SETUP='$(ENGINE_SETUP)' Scripts/compose-test.py

# Kills and freezes services under load, and checks that no update is lost. CHAOS_SEED selects the services and times.
chaos: test-dependencies release
	Scripts/chaos.py --kills $(CHAOS_KILLS) --seconds $(CHAOS_SECONDS) $(if $(CHAOS_SEED),--seed $(CHAOS_SEED))

# Kills and freezes services and the nodes of a real PostgreSQL cluster, with two instances of each service.
chaos-ha: test-dependencies release
	@Scripts/install-dependencies.sh ha
	Scripts/chaos-ha.py --faults $(CHAOS_FAULTS) $(if $(CHAOS_SEED),--seed $(CHAOS_SEED)) $(if $(CHAOS_ASYNCHRONOUS),--asynchronous)

# Cuts a second host, which is a network namespace, off from the bus for 30 s, and checks that nothing is lost.
two-hosts: test-dependencies release
	Scripts/two-hosts.py

# Replaces every process of an earlier version under load. OLD is the folder of its executables.
rolling-upgrade: test-dependencies release
	Scripts/rolling-upgrade.py --old '$(OLD)'

# Kills and freezes the active cache and notifier, and prints how long their standbys need.
takeover: test-dependencies release
	Scripts/takeover.py

# Discards unsynced writes of the stores at many points, and checks that no published update is forgotten.
power-cut: dependencies
	TIDINGS_NIGHTLY=1 Scripts/test.sh --filter PowerCutTests

# Serves hostile feeds beside good ones for longer than `make test` does, and checks delays and memory.
hostile-feed: dependencies
	TIDINGS_NIGHTLY=1 Scripts/test.sh --filter HostileFeedTests

# Starts the demo DEMO_STARTS times, and checks that the first content of each widget has its verdict in time.
demo-starts: test-dependencies release
	Scripts/demo-starts.py --starts $(DEMO_STARTS)

# Checks that a subscriber that stops reading costs the bus at most its high-water mark, and does not affect others.
slow-subscriber: test-dependencies release
	Scripts/slow-subscriber.py --seconds $(SLOW_SECONDS) --cycles $(SLOW_CYCLES)

# Tests the gateway over HTTP: schemathesis with its OpenAPI document, promtool, hostile clients.
gateway-test: test-dependencies release
	@Scripts/install-dependencies.sh gateway
	Scripts/gateway-test.py

# Attacks the bus from outside: floods of subscriptions, forged registrations and answers, garbage on each port; then 10,000 forged
# messages of the services, after which everything must agree.
bus-test: test-dependencies release
	Scripts/bus-test.py
	Scripts/forged-messages.py

# Renders the overlays in deploy/kubernetes and validates them; needs kubectl.
kubernetes-check:
	@Scripts/install-dependencies.sh kubernetes
	Scripts/check-kubernetes.py

# Builds the Swift example, and checks the configurations for other programs with these programs.
examples: dependencies
	@Scripts/install-dependencies.sh examples
	swift build --package-path Examples/swift
	Scripts/check-examples.py

lint: test-dependencies
	swift format lint --strict --recursive Package.swift Shared Services Tests Fuzzing $(NESTED)
	Scripts/check-conventions.sh

format:
	swift format --in-place --recursive Package.swift Shared Services Tests Fuzzing $(NESTED)

# Prints the lines of code of each module. SINCE is a commit to compare with.
count:
	@Scripts/count.py $(SINCE)

# Generates the published schemas, and those of the gateway's OpenAPI description, from the samples and docs/contract.
contract:
	Scripts/make-contract.py

# The Debian packages for building and running.
dependencies:
	@Scripts/install-dependencies.sh

# Those for the tests and checks, too: servers, a browser, Python modules.
test-dependencies:
	@Scripts/install-dependencies.sh build fonts test browser

clean:
	rm -rf .build
