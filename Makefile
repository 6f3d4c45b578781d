# `make run` and `make test` are the two commands of the README: each works on a fresh Debian 12 with Swift 6.3, alone and first.

.PHONY: run test simulate chaos power-cut slow-subscriber build release bench fuzz gallery symbols lint format contract dependencies \
    clean install uninstall compose-test examples gateway-test kubernetes-check \
    browser-test screenshots
.DEFAULT_GOAL := build

DEMO_SECONDS ?=
PREFIX ?= /usr/local
DESTDIR ?=
ENGINE_SETUP ?=
BENCH ?=
FUZZ ?=
FUZZ_SECONDS ?= 60
CHAOS_KILLS ?= 100
CHAOS_SECONDS ?= 210
CHAOS_SEED ?=
POWER_CUT_SEEDS ?= 50
SLOW_SECONDS ?= 60
SLOW_CYCLES ?= 1000

# The sources of packages that lie within this one.
NESTED = $(foreach package,Benchmarks Examples/swift,$(package)/Package.swift $(package)/Sources)

run: release
	exec .build/release/tidings demo $(if $(DEMO_SECONDS),--seconds $(DEMO_SECONDS))

# One test after the other: many run processes and servers of their own, and their deadlines want a machine to
# themselves.
test: dependencies
	swift test --no-parallel

# The Today page and the operations page in a real Chromium, in full; `make test` has a short form of it.
browser-test: dependencies
	@Scripts/install-dependencies.sh browser
	swift build
	Scripts/page-test.py $(if $(CHECK),--only $(CHECK))

# Pictures of every state of the pages at three widths, light and dark, in .build/screenshots.
screenshots: dependencies
	@Scripts/install-dependencies.sh browser
	swift build
	Scripts/page-test.py --screenshots .build/screenshots

# Runs the cores of all services in one process against everything that can go wrong: SEEDS runs of CYCLES cycles each from
# seed FROM on, or one run again, SEED, with what led to its failure. VARIANT breaks one of the rules.
SEEDS ?= 2000
FROM ?= 0
CYCLES ?= 500
VARIANT ?=
simulate: dependencies
	TIDINGS_SIMULATION_SEEDS=$(if $(SEED),1,$(SEEDS)) TIDINGS_SIMULATION_FROM=$(if $(SEED),$(SEED),$(FROM)) \
	TIDINGS_SIMULATION_CYCLES=$(CYCLES) $(if $(VARIANT),TIDINGS_SIMULATION_VARIANT=$(VARIANT)) swift test -c release -Xswiftc -enable-testing \
	-Xswiftc -enforce-exclusivity=unchecked --scratch-path .build/simulation \
	--filter 'SimulationTests.SimulationTests/nothingIsLost'

build: dependencies
	swift build

# The executables, without what only tests use.
release: dependencies
	Scripts/install.sh build

# Each benchmark beside a reference measured in the same run; BENCH names those wanted, without it all run.
bench:
	@Scripts/install-dependencies.sh build bench
	Benchmarks/run.py $(BENCH)

# Each parser against inputs that libFuzzer makes up, for FUZZ_SECONDS; FUZZ names those wanted, without it all run.
fuzz:
	@Scripts/install-dependencies.sh build
	FUZZ_SECONDS='$(FUZZ_SECONDS)' Scripts/fuzz.sh $(FUZZ)

# Every kind of widget on every device and text size, light and dark, into .build/gallery; fails where a layout breaks a rule.
gallery: dependencies
	swift build --product LayoutGallery
	.build/debug/LayoutGallery .build/gallery

# The picture of all symbols in the documentation, and their table for the page.
symbols: dependencies
	swift build --build-tests
	.build/debug/LayoutGallery --symbols
	RECORD_GOLDEN_FILES=1 swift test --skip-build --filter PageSymbolsTests

# PREFIX and DESTDIR as everywhere. Where `swift` is on nobody's path, as with sudo, it installs what `make release` built.
install:
	@if command -v swift >/dev/null; then Scripts/install-dependencies.sh build fonts install && Scripts/install.sh build; fi
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' Scripts/install.sh install

uninstall:
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' Scripts/install.sh uninstall

# Builds the image, runs the demo, scales, kills and heals it, and leaves nothing. ENGINE_SETUP names a script that runs
# first where there is no container engine.
compose-test:
	ENGINE_SETUP='$(ENGINE_SETUP)' Scripts/compose-test.py

# Kills and freezes the services under load; nothing may be lost. A seed chooses victims and moments.
chaos: release
	Scripts/chaos.py --kills $(CHAOS_KILLS) --seconds $(CHAOS_SECONDS) $(if $(CHAOS_SEED),--seed $(CHAOS_SEED))

# Takes from the stores what was not synced, at many moments; nothing that was published may be forgotten.
power-cut: dependencies
	POWER_CUT_SEEDS=$(POWER_CUT_SEEDS) swift test --filter PowerCutTests

# A subscriber stops reading; it may cost the bus its high-water mark, and nobody else anything.
slow-subscriber: release
	Scripts/slow-subscriber.py --seconds $(SLOW_SECONDS) --cycles $(SLOW_CYCLES)

# The gateway from outside: schemathesis against its description, Prometheus' lint, hostile clients.
gateway-test: release
	@Scripts/install-dependencies.sh gateway
	Scripts/gateway-test.py

# Renders the overlays in deploy/kubernetes and validates them; needs kubectl.
kubernetes-check:
	@Scripts/install-dependencies.sh kubernetes
	Scripts/check-kubernetes.py

examples: dependencies
	swift build --package-path Examples/swift

lint:
	swift format lint --strict --recursive Package.swift Shared Services Tests Fuzzing $(NESTED)
	Scripts/check-conventions.sh

format:
	swift format --in-place --recursive Package.swift Shared Services Tests Fuzzing $(NESTED)

# The published schemas, from the golden files and docs/contract/vocabulary.json.
contract:
	Scripts/make-contract.py

dependencies:
	@Scripts/install-dependencies.sh

clean:
	rm -rf .build
