# SPDX-License-Identifier: Apache-2.0
#
# The door for newcomers: every target does its own set-up on Debian and Ubuntu. `make help` lists them.

PREFIX  ?= /usr/local
DESTDIR ?=
# Seconds after which `make run` ends, counted from the first state; empty: on Ctrl-C.
DURATION ?=
# Which Debian `make vm-test` installs the package in: trixie (13) or bookworm (12).
SUITE   ?= trixie
# For how long `make fuzz` looks for inputs that break something.
SECONDS ?= 60

SWIFT_BUILD := swift build
# The daemon is linked with Swift's runtime inside, so that the target needs no toolchain.
RELEASE     := -c release --static-swift-stdlib
PYTHON      := .build/python/bin/python3

RUN_PACKAGES  := libiio-dev libsystemd-dev libjansson-dev pkg-config binutils python3
TEST_PACKAGES := $(RUN_PACKAGES) umockdev iiod socat dbus python3-venv gcc libc6-dev librsvg2-bin udev gir1.2-umockdev-1.0 python3-gi

.DEFAULT_GOAL := help
.PHONY: help build run test lint sanitize fuzz load fanout vm-test install uninstall deb clean setup-run setup-test

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: setup-run ## build the daemon and the tool for release
	$(SWIFT_BUILD) $(RELEASE) --product orientationd
	$(SWIFT_BUILD) $(RELEASE) --product orientationctl

run: setup-run ## see it work: the daemon and a live view of it [DURATION=seconds]
	@$(SWIFT_BUILD) --product orientationd
	@$(SWIFT_BUILD) --product orientationctl
	@Scripts/run-demo.sh "$$($(SWIFT_BUILD) --show-bin-path)" $(DURATION)

# Tests of whole programs wait in place, on the threads that the others need to go on: they come after them.
PROGRAM_TESTS := EndToEndTests|InterfaceExampleTests|OrientationCtlTests|VarlinkInteropTests

test: setup-test $(PYTHON) ## build and pass all tests
	swift test --skip '^($(PROGRAM_TESTS))'
	swift test --skip-build --filter '^($(PROGRAM_TESTS))'

lint: setup-run ## check format, arrows, imports and man pages
	@Scripts/setup.sh groff-base
	@! groff -Kutf8 -man -Tutf8 -wmac -z man/* 2>&1 | grep .
	swift format lint --strict --recursive Package.swift Sources Tests Examples Fuzzing Benchmarks
	Scripts/check-arrows.py --self-test
	Scripts/check-arrows.py
	$(SWIFT_BUILD) --explicit-target-dependency-import-check error

sanitize: setup-test $(PYTHON) ## pass the tests under the thread and the address sanitizer
	Scripts/sanitize.sh thread
	Scripts/sanitize.sh address

# One build with the fuzzer's coverage and the address sanitizer; both through --sanitize would fuzz blind. LeakSanitizer
# takes what Swift keeps for its whole life for leaks.
fuzz: setup-run ## feed the protocol with what breaks it, under the address sanitizer [SECONDS=60]
	cd Fuzzing && swift build -c release -j 2 --sanitize=fuzzer -Xswiftc -sanitize=address,fuzzer
	cd Fuzzing && mkdir -p .build/found && ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no \
		.build/release/Fuzz -max_total_time=$(SECONDS) -detect_leaks=0 -dict=varlink.dict -max_len=1024 -timeout=10 \
		-artifact_prefix=.build/ .build/found Corpus

# What the guest is made with; see Tests/VirtualMachine.
vm-test: deb ## install the package in a virtual machine and prove what it promises [SUITE=trixie|bookworm]
	@Scripts/setup.sh qemu-system-x86 mmdebstrap genext2fs e2fsprogs cpio kmod xz-utils dpkg-dev debian-archive-keyring
	Tests/VirtualMachine/run.py "$$(ls -t .build/orientationd_*.deb | head -n 1)" .build/vm $(SUITE)

load: build ## a minute of 1000 subscribers, of whom some never read and some come and go
	Benchmarks/load.py .build/release

fanout: build ## what telling 1, 100 and 1000 subscribers costs, beside a server in C
	@Scripts/setup.sh gcc libc6-dev
	Benchmarks/fanout.py .build/release

install: ## install what `make build` built into DESTDIR and PREFIX
	Scripts/install.sh install "$(DESTDIR)" "$(PREFIX)" .build/release

uninstall: ## remove what install put there
	Scripts/install.sh uninstall "$(DESTDIR)" "$(PREFIX)"

deb: build ## make a Debian package
	@Scripts/setup.sh dpkg-dev
	@Scripts/make-deb.sh .build/release

clean: ## remove what was built
	rm -rf .build .build-*

setup-run:
	@Scripts/setup.sh $(RUN_PACKAGES)

setup-test:
	@Scripts/setup.sh $(TEST_PACKAGES)

# Clients that others wrote, for the tests.
$(PYTHON): Scripts/python-packages.txt
	python3 -m venv .build/python
	.build/python/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@
