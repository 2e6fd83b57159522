# SPDX-License-Identifier: Apache-2.0
#
# Build targets. Each installs its dependencies on Debian and Ubuntu; `make help` lists them.

PREFIX  ?= /usr/local
DESTDIR ?=
# What `make install` installs: services for systemd, openrc or runit; all, orientationd or autorotate.
INIT      ?= systemd
COMPONENT ?= all
# A folder with built programs, for packages; empty: `make programs` builds them.
ORIENTATIOND_PROGRAMS ?=
# Duration of `make run` in seconds, counted from the first state; empty: until Ctrl-C.
DURATION ?=
# Which Debian `make vm-test` installs the package in: trixie (13) or bookworm (12).
SUITE   ?= trixie
# For which Debian architecture `make deb` makes the packages; empty: that of this machine.
ARCH    ?=
# Recordings that `make arm64-test` compares in addition to its own.
RECORDINGS ?=
# Only these of iio-sensor-proxy's tests, for `make sensor-proxy-test`; empty: all.
TESTS   ?=
# Only these compositors or tests, for `make screen-test`; empty: all.
SCREEN  ?=
# Only these tests, for `make gtk-test` and `make sdl-test`; empty: all.
WINDOW  ?=
# Only the attacks with this in their names, for `make attack`; empty: all.
ATTACK  ?=
# Only these comparisons, for `make bench`; empty: all.
BENCH   ?=
# The duration of `make fuzz`.
SECONDS ?= 60

SWIFT_BUILD := swift build
# The daemon is linked with Swift's runtime inside, so that the target needs no toolchain.
# Installed programs search no library in their own folder.
# No function pointer of a library stays writable (-z now).
RELEASE     := -c release --static-swift-stdlib --disable-local-rpath -Xlinker -z -Xlinker now
# No library calls back into the programs by name.
RELEASE     += -Xlinker --no-export-dynamic
# libstdc++, which Swift's runtime needs, inside as well: 70 KiB less private memory of a process.
STATIC      := .build/static
RELEASE     += -Xlinker "-L$(CURDIR)/$(STATIC)"
# The same programs in any folder, for reproducible packages: paths in debug information, from which the linker computes the
# build ID, are relative; no paths of compiled C modules, no hash of the compiler's input.
RELEASE     += -Xswiftc -file-prefix-map -Xswiftc "$(CURDIR)=." -Xcc "-ffile-prefix-map=$(CURDIR)=." \
	-Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs \
	-Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen
# Directories with Debian, whose files belong to root.
ROOT_FOLDERS := .build/debian-swift .build/arm64 .build/sensor-proxy .build/packaging .build/screen
SUDO        := $(if $(filter 0,$(shell id -u)),,sudo)
PYTHON      := .build/python/bin/python3

# A source tarball has the Swift packages in vendor: nothing is downloaded.
ifneq ($(wildcard vendor),)
export ORIENTATIOND_VENDORED := 1
endif

RUN_PACKAGES  := libiio-dev libsystemd-dev libjansson-dev libwayland-dev libxcb-randr0-dev libxcb-xinput-dev pkg-config binutils python3
TEST_PACKAGES := $(RUN_PACKAGES) umockdev socat dbus python3-venv gcc libc6-dev librsvg2-bin udev gir1.2-umockdev-1.0 python3-gi \
	xvfb

GTK_PACKAGES  := libgtk-4-dev libwayland-dev xvfb
SDL_PACKAGES  := libsdl2-dev libsdl2-gfx-dev libwayland-dev xvfb

.DEFAULT_GOAL := help
.PHONY: help build run example-gtk example-sdl test gtk-test sdl-test test-oldest window-pictures docs lint sanitize fuzz attack load bench fanout vm-test arm64-test sensor-proxy-test screen-test screen-picture screen-vm-test install uninstall deb dist reproducible programs package-test pictures clean setup-run setup-test \
	build-gtk build-sdl build-windows

help: ## list the targets
	@awk -F':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: setup-run ## build the programs for release
	@$(MAKE) --no-print-directory programs

# Without the check for Debian packages, for the builds of distributions.
programs: $(if $(ORIENTATIOND_PROGRAMS),,$(STATIC)/libstdc++.a)
ifeq ($(ORIENTATIOND_PROGRAMS),)
	$(SWIFT_BUILD) $(RELEASE) --product orientationd
	$(SWIFT_BUILD) $(RELEASE) --product orientationctl
	$(SWIFT_BUILD) $(RELEASE) --product orientation-autorotate
endif

# The linker takes the archive, because this folder has no shared library.
$(STATIC)/libstdc++.a:
	@mkdir -p $(@D)
	@archive="$$(clang -print-file-name=libstdc++.a 2>/dev/null)"; \
	[ -f "$$archive" ] || archive="$$(gcc -print-file-name=libstdc++.a)"; \
	if [ ! -f "$$archive" ]; then \
		echo "make: libstdc++.a not found: install it (Debian: libstdc++-12-dev, Fedora: libstdc++-static)" >&2; exit 1; \
	fi; \
	ln -sf "$$archive" $@

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

# Debian's own Swift in a directory, which only root can enter.
test-oldest: $(PYTHON) ## build and pass all tests with the oldest supported Swift
	@Scripts/setup.sh mmdebstrap debian-archive-keyring git
	@Scripts/get-protocols.sh .build/protocols
	@swift package resolve
	@$(SUDO) Tests/System/OldestSwift/run.py .build/debian-swift $(PYTHON) $(TEST_PACKAGES)

gtk-test: build-gtk ## turn the GTK 4 example in a window, click, and look at the screenshots [WINDOW=names]
	@Scripts/setup.sh xdotool
	Tests/System/Windows/run.py Examples/gtk/.build/debug/reader-gtk "$$($(SWIFT_BUILD) --show-bin-path)" .build/windows/gtk $(WINDOW)

sdl-test: build-sdl ## turn the SDL 2 example in a window, click, and look at the screenshots [WINDOW=names]
	@Scripts/setup.sh xdotool gcc libc6-dev
	Tests/System/Windows/run.py Examples/sdl/.build/debug/reader-sdl "$$($(SWIFT_BUILD) --show-bin-path)" .build/windows/sdl $(WINDOW)

docs: setup-run ## build the libraries' documentation into .build/docs
	@Scripts/build-docs.sh .build/docs

lint: setup-run ## check format, words, imports and man pages
	@Scripts/setup.sh groff-base
	Tests/System/VirtualMachine/run.py --check
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
attack: build ## attack a daemon and a session agent as other users, and measure the latency of another client [ATTACK=name]
	@Scripts/setup.sh gcc libc6-dev python3 umockdev gir1.2-umockdev-1.0 python3-gi xvfb
	@$(SUDO) Tests/System/Attack/run.py .build/release $(ATTACK)

# The packages build the guest, which has their architecture; see Tests/System/VirtualMachine.
vm-test: GUEST = $(or $(ARCH),$(shell dpkg --print-architecture))
vm-test: deb ## test the package in a virtual machine [SUITE=trixie|bookworm] [ARCH=arm64]
	@Scripts/setup.sh $(if $(filter arm64,$(GUEST)),qemu-system-arm qemu-user-static binfmt-support arch-test,qemu-system-x86) \
		mmdebstrap genext2fs e2fsprogs cpio kmod xz-utils dpkg-dev debian-archive-keyring
	Tests/System/VirtualMachine/run.py --architecture $(GUEST) \
		"$$(ls -t .build/orientationd_*_$(GUEST).deb | head -n 1)" .build/vm $(SUITE)

arm64-test: $(PYTHON) ## make the packages for arm64 and run their programs under qemu-user [RECORDINGS=files]
	@$(MAKE) --no-print-directory deb ARCH=arm64
	@Scripts/setup.sh qemu-user-static
	@$(SWIFT_BUILD) --product orientationctl
	@$(PYTHON) Tests/System/Arm64/run.py "$$(ls -t .build/orientationd_*_arm64.deb | head -n 1)" .build/arm64/root \
		"$$($(SWIFT_BUILD) --show-bin-path)/orientationctl" $(RECORDINGS)

# The compositors run in a Debian 13 in a directory, which only root can enter.
screen-test: build build-windows ## rotate the outputs of real compositors without a screen [SCREEN=names]
	@Scripts/setup.sh mmdebstrap debian-archive-keyring
	@$(SUDO) Tests/System/Screen/run.py .build/release .build/screen $(SCREEN)

# iio-sensor-proxy and its tests are built in a Debian 13 in a directory, which only root can enter.
sensor-proxy-test: build ## run iio-sensor-proxy's own tests with the daemon and with iio-sensor-proxy [TESTS=names]
	@Scripts/setup.sh mmdebstrap debian-archive-keyring
	@$(SUDO) Tests/System/SensorProxySuite/run.py .build/release .build/sensor-proxy $(TESTS)

screen-picture: build ## draw the picture of a rotated display in the README
	@Scripts/setup.sh mmdebstrap debian-archive-keyring
	@$(SUDO) Tests/System/Screen/picture.py .build/release .build/screen docs/autorotate.svg

# sway and Xorg with a touch screen, on the displays of virtual machines.
screen-vm-test: deb ## test the session agent on displays in virtual machines
	@Scripts/setup.sh qemu-system-x86 mmdebstrap genext2fs e2fsprogs cpio kmod xz-utils dpkg-dev debian-archive-keyring
	Tests/System/VirtualMachine/run.py --agent "$$(ls -t .build/orientation-autorotate_*.deb | head -n 1)" \
		"$$(ls -t .build/orientationd_*.deb | head -n 1)" .build/vm trixie

load: build ## run 1000 subscribers for a minute; some never read, some reconnect
	Benchmarks/load.py .build/release

bench: build ## run all comparisons with other programs, and keep the figures in Benchmarks/results [BENCH=names]
	@Scripts/setup.sh gcc libc6-dev umockdev dbus socat iio-sensor-proxy gir1.2-umockdev-1.0 python3-gi
	Benchmarks/bench.py .build/release $(BENCH)

fanout: build ## measure notifications to 1, 100 and 1000 subscribers, and a C server
	@Scripts/setup.sh gcc libc6-dev
	Benchmarks/fanout.py .build/release

install: ## install what `make build` built into DESTDIR and PREFIX [INIT=systemd|openrc|runit]
	INIT=$(INIT) Scripts/install.sh install "$(DESTDIR)" "$(PREFIX)" "$(or $(ORIENTATIOND_PROGRAMS),.build/release)" $(COMPONENT)

uninstall: ## remove what install put there, with the same PREFIX, SBINDIR and INIT
	INIT=$(INIT) Scripts/install.sh uninstall "$(DESTDIR)" "$(PREFIX)"

pictures: setup-test $(PYTHON) ## draw the pictures of the documentation from what the programs print
	@$(SWIFT_BUILD) --product orientationd
	@$(SWIFT_BUILD) --product orientationctl
	$(PYTHON) Scripts/make-pictures.py "$$($(SWIFT_BUILD) --show-bin-path)" docs

window-pictures: build-gtk build-sdl ## draw the pictures of the examples in windows
	@Scripts/setup.sh xdotool
	Tests/System/Windows/picture.py Examples/gtk/.build/debug/reader-gtk "$$($(SWIFT_BUILD) --show-bin-path)" Examples/gtk/reader.png
	Tests/System/Windows/picture.py Examples/sdl/.build/debug/reader-sdl "$$($(SWIFT_BUILD) --show-bin-path)" Examples/sdl/reader.png

ifeq ($(ARCH),$(if $(ARCH),$(shell dpkg --print-architecture)))
deb: build ## make the Debian packages [ARCH=arm64]
	@Scripts/setup.sh debhelper dpkg-dev
	@Scripts/make-deb.sh .build/release
else ifeq ($(ARCH),arm64)
# Debian's Swift for amd64 compiles for arm64, in directories that only root can enter.
deb:
	@Scripts/setup.sh mmdebstrap debian-archive-keyring git
	@swift package resolve
	@$(SUDO) Scripts/cross-build.py .build/debian-swift .build/arm64 $(TEST_PACKAGES)
else
deb:
	@echo "make deb: ARCH=$(ARCH): must be arm64 or the architecture of this machine" >&2; exit 64
endif

dist: ## make the source tarball, which builds without a network
	@Scripts/make-dist.sh .build/dist

# The Debians without systemd are made and entered by root.
package-test: deb dist ## make and check the packages of RPM and Arch, and the services of OpenRC and runit
	@Scripts/setup.sh lintian rpm rpmlint makepkg pacman-package-manager fakeroot libarchive-tools mmdebstrap \
		debian-archive-keyring binutils util-linux
	Tests/System/Packaging/packages.sh .build/release .build/dist .build/packaging
	@$(SUDO) Tests/System/Packaging/services.sh .build/release .build/packaging openrc runit

reproducible: dist ## build the Debian packages twice from the tarball, in different folders, without a network, and compare
	@Scripts/setup.sh $(RUN_PACKAGES) build-essential debhelper dpkg-dev util-linux
	@Scripts/check-reproducible.sh .build/dist .build/reproducible

clean: ## remove what was built
	@for folder in $(ROOT_FOLDERS); do [ ! -e $$folder ] || $(SUDO) rm -rf $$folder || exit 1; done
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
