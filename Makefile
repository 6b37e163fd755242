# One command for each thing people do here. `make` alone lists them.
SWIFT ?= swift
# `make lab SHELL=1` asks for a shell in the lab. To make itself the word would mean what runs its recipes.
ifeq ($(origin SHELL),command line)
LAB_SHELL := $(SHELL)
override SHELL := /bin/sh
endif
# All symbols at the start: the lazy resolver saves vector registers, and with them keys, on stacks nobody wipes.
BIND := -Xlinker -z -Xlinker now

# No warning, and no import that Package.swift does not declare for the target. C is strict in Package.swift.
STRICT := $(BIND) -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error
# A page of a program that is touched is a page of the board's memory: no symbol is exported, relocations are packed, and
# of the C++ library, which only the Swift runtime calls, the parts that it calls are linked. A fifth less is resident.
PARTS := $(or $(SWIFTPM_BUILD_DIR),$(CURDIR)/.build)/parts
LEAN := -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs -Xswiftc -L$(PARTS)
# The programs carry the Swift runtime; Debian's libraries (mbedTLS, libgpiod, libnl, libsystemd) stay shared.
# DEBUG_INFO=dwarf is for a debugger; without it they build sooner, and traces still name functions.
DEBUG_INFO ?= none
RELEASE := $(STRICT) $(LEAN) -c release --static-swift-stdlib -debug-info-format $(DEBUG_INFO)
# The commit goes where the linker notes a build id, so that a new one costs a link; + when there is more than is committed.
GIT := git -c safe.directory='*'
COMMIT := $(shell $(GIT) rev-parse --verify --quiet HEAD 2>/dev/null)
CHANGED := $(if $(COMMIT),$(if $(shell $(GIT) status --porcelain --untracked-files=no 2>/dev/null),2b))
STAMP := $(if $(COMMIT),-Xlinker --build-id=0x6769743a$(COMMIT)$(CHANGED))
PROGRAMS := awared awarectl aware-factory
BUILT := .build/release

.DEFAULT_GOAL := help
.PHONY: help deps deps-build deps-test deps-check build demo test lint format bench sanitize fuzz check \
	check-witness check-mutations check-constant-time check-store check-debian13 deps-lab lab

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-21s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## install the Debian packages of board/packages.txt (root or sudo; once)
	@.ci/deps
deps-build:
	@.ci/deps build
	@mkdir -p $(PARTS) && ln -sf "$$(gcc -print-file-name=libstdc++.a)" $(PARTS)/
deps-test:
	@.ci/deps build test
deps-check:
	@.ci/deps build test check
deps-lab:
	@.ci/deps build lab

# A demo is there in half the time unoptimised; BIN=.build/release is the demo of what ships.
QUICK := -Xswiftc -Onone --scratch-path .build/demo

build: deps-build ## the three programs, optimised, in .build/release (DEBUG_INFO=dwarf)
	AWARE_PROGRAMS="$(PROGRAMS)" $(SWIFT) build $(RELEASE) $(STAMP)

# RUNS=20 prints medians; INTERACTIVE=1 lets you type the PIN; PHONES=2 has a second phone come while the first is being
# paired; CAMERA=1 has live video from a program that plays the clip (with python3); REPORT_ONLY=1 only reports a median above its target, on a busy machine; BIN=folder uses programs that are
# built already.
demo: deps-build ## a phone pairs with a PIN and plays video, on simulated air (RUNS=20, INTERACTIVE=1, BIN=.build/release)
	$(if $(BIN),,AWARE_PROGRAMS="$(PROGRAMS)" $(SWIFT) build $(RELEASE) $(QUICK) $(STAMP))
	BIN="$(or $(BIN),.build/demo/release)" RUNS="$(or $(RUNS),1)" INTERACTIVE="$(or $(INTERACTIVE),0)" board/demo/run

test: deps-test ## all tests, built without a warning (FILTER=Suite for some of them)
	$(if $(FILTER),,python3 board/lab/lines/self_test.py -q)
	$(SWIFT) build --build-tests $(STRICT)
	$(SWIFT) test --skip-build --disable-xctest $(STRICT) $(if $(FILTER),--filter '$(FILTER)')

lint: ## format, imports, banned constructs, file sizes, and whether the documents match the code
	@.ci/lint

format: ## reformat the sources and rewrite the generated columns of docs/ARCHITECTURE.md
	$(SWIFT) format format --in-place --recursive --parallel Package.swift Sources Tests
	@.ci/lint --write-table

bench: deps-build ## times for people, allocation budgets that fail
	$(SWIFT) build $(RELEASE) --product Benchmarks
	$(BUILT)/Benchmarks

sanitize: deps-test ## the tests under the thread and address sanitizers
	$(SWIFT) test --disable-xctest --sanitize=thread --scratch-path .build/tsan
	ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --disable-xctest --sanitize=address --scratch-path .build/asan

# libFuzzer writes what it finds into the first folder; a crash would wait in Swift's backtracer.
fuzz: deps-build ## libFuzzer on the frame codecs (SECONDS=30)
	$(SWIFT) build --product FuzzFrames --sanitize fuzzer --scratch-path .build/fuzz
	python3 Tests/Witness/seeds.py .build/seeds
	mkdir -p .build/corpus
	SWIFT_BACKTRACE=enable=no .build/fuzz/debug/FuzzFrames -max_total_time=$(or $(SECONDS),30) -max_len=2400 \
		-rss_limit_mb=512 .build/corpus .build/seeds

# The published transcripts, then encounters of our own: every suite, a counter-proposal, a refusal. FULL=1 insists on a
# tshark that knows the attributes of pairing; CAPTURE=file.pcapng reads that in place of the encounters.
check-witness: deps-check ## tshark reads every frame and must see what was sent (CAPTURE=file, FULL=1)
	$(SWIFT) build $(RELEASE) --product FrameListing
	$(SWIFT) build $(RELEASE) --product FrameMutationCampaign
	$(BUILT)/FrameMutationCampaign --capture .build/encounter.pcapng
	python3 Tests/Witness/witness.py $(BUILT)/FrameListing $(if $(FULL),--full)
	python3 Tests/Witness/witness.py $(BUILT)/FrameListing $(if $(FULL),--full) $(or $(CAPTURE),.build/encounter.pcapng)

check-mutations: deps-build ## mutated frames through decoder and engines, with a histogram (FRAMES=1000000, SEED=1)
	$(SWIFT) build $(RELEASE) --product FrameMutationCampaign
	$(BUILT)/FrameMutationCampaign --frames $(or $(FRAMES),1000000) --seed $(or $(SEED),1)

check-constant-time: deps-check ## no branch on secret memory, under valgrind
	.ci/constant-time

check-store: deps-build ## kill -9 a program 500 times while it writes to the peer store
	$(SWIFT) build $(RELEASE) --product StoreTorture
	$(BUILT)/StoreTorture

check-debian13: deps-check ## all tests, the programs and the full witness in a Debian 13 tree, with its own Swift (as root)
	.ci/debian13 make test
	.ci/debian13 make build
	.ci/debian13 make check-witness FULL=1

# SCENARIOS="discover pair" runs these, REPEAT=20 all of it that often, JOBS=1 in one guest at a time; LIST=1 says which
# there are, SHELL=1 is a shell in it.
lab: deps-lab ## the programs on the kernel's simulated radios, in a virtual machine (as root; SCENARIOS=, REPEAT=, LIST=1, SHELL=1)
	@REPEAT="$(or $(REPEAT),1)" board/lab/run $(if $(LIST),--list,$(if $(LAB_SHELL),--shell,$(SCENARIOS)))

check: lint test bench check-witness check-mutations check-constant-time check-store check-debian13 ## lint, tests, bench and all checks (CI also builds, runs the demo, the commands of README and the lab)
