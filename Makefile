# SPDX-License-Identifier: Apache-2.0
#
# Build targets. Each installs its dependencies on Debian and Ubuntu; `make help` lists them.

PREFIX  ?= /usr/local
DESTDIR ?=
# Seconds after which `make run` ends, counted from the first state; empty: on Ctrl-C.
DURATION ?=
# Which Debian `make vm-test` installs the package in: trixie (13) or bookworm (12).
SUITE   ?= trixie
# Only these compositors or proofs, for `make screen-test`; empty: all.
SCREEN  ?=
# Only these proofs, for `make gtk-test` and `make sdl-test`; empty: all.
WINDOW  ?=
# Only the attacks with this in their names, for `make attack`; empty: all.
ATTACK  ?=
# The duration of `make fuzz`.
SECONDS ?= 60

SWIFT_BUILD := swift build
# The daemon is linked with Swift's runtime inside, so that the target needs no toolchain.
# Installed programs search no library in their own folder.
RELEASE     := -c release --static-swift-stdlib --disable-local-rpath
PYTHON      := .build/python/bin/python3

RUN_PACKAGES  := libiio-dev libsystemd-dev libjansson-dev libwayland-dev libxcb-randr0-dev libxcb-xinput-dev pkg-config binutils python3
TEST_PACKAGES := $(RUN_PACKAGES) umockdev iiod socat dbus python3-venv gcc libc6-dev librsvg2-bin udev gir1.2-umockdev-1.0 python3-gi \
	xvfb

GTK_PACKAGES  := libgtk-4-dev libwayland-dev xvfb
SDL_PACKAGES  := libsdl2-dev libsdl2-gfx-dev libwayland-dev xvfb

.DEFAULT_GOAL := help
.PHONY: help build run example-gtk example-sdl test gtk-test sdl-test window-pictures docs lint sanitize fuzz attack load fanout vm-test screen-test screen-picture screen-vm-test install uninstall deb pictures clean setup-run setup-test \
	build-gtk build-sdl build-windows

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: setup-run ## build the programs for release
	$(SWIFT_BUILD) $(RELEASE) --product orientationd
	$(SWIFT_BUILD) $(RELEASE) --product orientationctl
	$(SWIFT_BUILD) $(RELEASE) --product orientation-autorotate

run: setup-run ## run the daemon and show its state live [DURATION=seconds]
	@$(SWIFT_BUILD) --product orientationd
	@$(SWIFT_BUILD) --product orientationctl
	@Scripts/run-demo.sh "$$($(SWIFT_BUILD) --show-bin-path)" $(DURATION)

example-gtk: build-gtk ## run an app in a GTK 4 window that follows a simulated device [DURATION=seconds]
	@Scripts/run-demo.sh "$$($(SWIFT_BUILD) --show-bin-path)" --app Examples/gtk/.build/debug/reader-gtk $(DURATION)

example-sdl: build-sdl ## run an app in an SDL 2 window that follows a simulated device [DURATION=seconds]
	@Scripts/run-demo.sh "$$($(SWIFT_BUILD) --show-bin-path)" --app Examples/sdl/.build/debug/reader-sdl $(DURATION)

# Tests of whole programs block the threads that other tests need: they run after them.
PROGRAM_TESTS := EndToEndTests|InterfaceExampleTests|OrientationCtlTests|VarlinkInteropTests

test: setup-test $(PYTHON) ## build and pass all tests
	@Scripts/get-protocols.sh .build/protocols
	@Scripts/run-tests.py "swift test --skip '^($(PROGRAM_TESTS))'" \
		"swift test --skip-build --filter '^($(PROGRAM_TESTS))'"

gtk-test: build-gtk ## turn the GTK 4 example in a window, click, and look at the screenshots [WINDOW=names]
	@Scripts/setup.sh xdotool
	Tests/Windows/run.py Examples/gtk/.build/debug/reader-gtk "$$($(SWIFT_BUILD) --show-bin-path)" .build/windows/gtk $(WINDOW)

sdl-test: build-sdl ## turn the SDL 2 example in a window, click, and look at the screenshots [WINDOW=names]
	@Scripts/setup.sh xdotool
	Tests/Windows/run.py Examples/sdl/.build/debug/reader-sdl "$$($(SWIFT_BUILD) --show-bin-path)" .build/windows/sdl $(WINDOW)

docs: setup-run ## build the libraries' documentation into .build/docs
	@Scripts/build-docs.sh .build/docs

lint: setup-run ## check format, words, imports and man pages
	@Scripts/setup.sh groff-base
	Tests/VirtualMachine/run.py --check
	@! groff -Kutf8 -t -man -Tutf8 -wmac -z man/* 2>&1 | grep .
	swift format lint --strict --recursive Package.swift Sources Tests Examples Fuzzing Benchmarks
	cmp Examples/gtk/Sources/GTKRotation/WaylandOutputs.swift Examples/sdl/Sources/SDLRotation/WaylandOutputs.swift
	Scripts/check-words.py --self-test
	Scripts/check-words.py
	Scripts/check-imports.py --self-test
	Scripts/run-tests.py --self-test
	Scripts/check-imports.py
	$(SWIFT_BUILD) --explicit-target-dependency-import-check error

sanitize: setup-test $(PYTHON) ## pass the tests under the thread and the address sanitizer
	Scripts/sanitize.sh thread
	Scripts/sanitize.sh address

# One build with the fuzzer's coverage and the address sanitizer: passing both through --sanitize records no coverage.
# LeakSanitizer is off: it reports Swift's global objects.
fuzz: setup-run ## fuzz the protocol and the client [SECONDS=60]
	cd Fuzzing && ORIENTATIOND_FUZZING=1 swift build -c release -j 2 --sanitize=fuzzer -Xswiftc -sanitize=address,fuzzer \
		-Xswiftc -enable-testing
	cd Fuzzing && mkdir -p .build/found && ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no \
		.build/release/Fuzz -max_total_time=$(SECONDS) -detect_leaks=0 -dict=varlink.dict -max_len=1024 -timeout=10 \
		-artifact_prefix=.build/ .build/found Corpus
	cd Fuzzing && mkdir -p .build/found-client && ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no \
		.build/release/FuzzClient -max_total_time=$(SECONDS) -detect_leaks=0 -dict=client.dict -max_len=2048 -timeout=10 \
		-artifact_prefix=.build/client- .build/found-client ClientCorpus

# The daemon and its attackers are different users, which only root can start.
attack: build ## attack a daemon as other users, and measure an innocent client meanwhile [ATTACK=name]
	@Scripts/setup.sh gcc libc6-dev python3 umockdev gir1.2-umockdev-1.0 python3-gi
	@if [ "$$(id -u)" -eq 0 ]; then sudo=; else sudo=sudo; fi; $$sudo Tests/Attack/run.py .build/release $(ATTACK)

# The packages build the guest; see Tests/VirtualMachine.
vm-test: deb ## test the package in a virtual machine [SUITE=trixie|bookworm]
	@Scripts/setup.sh qemu-system-x86 mmdebstrap genext2fs e2fsprogs cpio kmod xz-utils dpkg-dev debian-archive-keyring
	Tests/VirtualMachine/run.py "$$(ls -t .build/orientationd_*.deb | head -n 1)" .build/vm $(SUITE)

# The compositors run in a Debian 13 in a directory, which only root can enter.
screen-test: build build-windows ## rotate the outputs of real compositors without a screen [SCREEN=names]
	@Scripts/setup.sh mmdebstrap debian-archive-keyring
	@if [ "$$(id -u)" -eq 0 ]; then sudo=; else sudo=sudo; fi; $$sudo Tests/Screen/run.py .build/release .build/screen $(SCREEN)

screen-picture: build ## draw the picture of a rotated display in the README
	@Scripts/setup.sh mmdebstrap debian-archive-keyring
	@if [ "$$(id -u)" -eq 0 ]; then sudo=; else sudo=sudo; fi; $$sudo Tests/Screen/picture.py .build/release .build/screen \
		docs/autorotate.svg

# sway and Xorg with a touch screen, on the displays of virtual machines.
screen-vm-test: deb ## test the session agent on displays in virtual machines
	@Scripts/setup.sh qemu-system-x86 mmdebstrap genext2fs e2fsprogs cpio kmod xz-utils dpkg-dev debian-archive-keyring
	Tests/VirtualMachine/run.py --agent "$$(ls -t .build/orientation-autorotate_*.deb | head -n 1)" \
		"$$(ls -t .build/orientationd_*.deb | head -n 1)" .build/vm trixie

load: build ## run 1000 subscribers for a minute; some never read, some reconnect
	Benchmarks/load.py .build/release

fanout: build ## measure notifications to 1, 100 and 1000 subscribers, and a C server
	@Scripts/setup.sh gcc libc6-dev
	Benchmarks/fanout.py .build/release

install: ## install what `make build` built into DESTDIR and PREFIX
	Scripts/install.sh install "$(DESTDIR)" "$(PREFIX)" .build/release

uninstall: ## remove what install put there
	Scripts/install.sh uninstall "$(DESTDIR)" "$(PREFIX)"

pictures: setup-test $(PYTHON) ## draw the pictures of the documentation from what the programs print
	@$(SWIFT_BUILD) --product orientationd
	@$(SWIFT_BUILD) --product orientationctl
	$(PYTHON) Scripts/make-pictures.py "$$($(SWIFT_BUILD) --show-bin-path)" docs

window-pictures: build-gtk build-sdl ## draw the pictures of the examples in windows
	@Scripts/setup.sh xdotool
	Tests/Windows/picture.py Examples/gtk/.build/debug/reader-gtk "$$($(SWIFT_BUILD) --show-bin-path)" Examples/gtk/reader.png
	Tests/Windows/picture.py Examples/sdl/.build/debug/reader-sdl "$$($(SWIFT_BUILD) --show-bin-path)" Examples/sdl/reader.png

deb: build ## make a Debian package
	@Scripts/setup.sh dpkg-dev
	@Scripts/make-deb.sh .build/release

clean: ## remove what was built
	rm -rf .build .build-* Examples/*/.build

setup-run:
	@Scripts/setup.sh $(RUN_PACKAGES)

setup-test:
	@Scripts/setup.sh $(TEST_PACKAGES)

build-gtk: setup-run
	@Scripts/setup.sh $(GTK_PACKAGES)
	@$(SWIFT_BUILD) --product orientationd
	@$(SWIFT_BUILD) --product orientationctl
	@$(SWIFT_BUILD) --package-path Examples/gtk

build-sdl: setup-run
	@Scripts/setup.sh $(SDL_PACKAGES)
	@$(SWIFT_BUILD) --product orientationd
	@$(SWIFT_BUILD) --product orientationctl
	@$(SWIFT_BUILD) --package-path Examples/sdl

# The examples with Swift's runtime inside, for a machine without Swift.
build-windows: setup-run
	@Scripts/setup.sh $(GTK_PACKAGES) $(SDL_PACKAGES)
	$(SWIFT_BUILD) $(RELEASE) --package-path Examples/gtk
	$(SWIFT_BUILD) $(RELEASE) --package-path Examples/sdl

# Third-party clients, for the tests.
$(PYTHON): Scripts/python-packages.txt
	python3 -m venv .build/python
	.build/python/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@
