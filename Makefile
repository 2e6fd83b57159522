# SPDX-License-Identifier: Apache-2.0
#
# Targets install what they need on Debian; `make` lists them.

ROOT := .
MORE := Further: make uninstall; make -C Tests/System (Benchmarks, packaging, Examples) lists others.
include Scripts/common.mk

PREFIX  ?= /usr/local
DESTDIR ?=
# What `make install` installs: services for systemd, openrc or runit; all, orientationd, sensorproxy, autorotate, tablet-switch, library or python.
INIT      ?= systemd
COMPONENT ?= all
# A folder with built programs, for packages; empty: `make programs` builds them.
ORIENTATIOND_PROGRAMS ?=
# Duration of `make run` in seconds, counted from the first state; empty: until Ctrl-C.
DURATION ?=
# For which Debian architecture `make deb` makes the packages; empty: that of this machine.
ARCH    ?=
# `make test ROWS=all` runs all rows of sweeps and random tests, and builds the examples that are packages of their own.
ROWS    ?=
$(if $(filter-out all,$(ROWS)),$(error ROWS=$(ROWS): must be all))
# The suites of `make check-release`; empty: all.
SUITES  ?=

# Directories with Debian, whose files belong to root.
ROOT_FOLDERS := .build/debian-swift .build/arm64 .build/sensor-proxy .build/packaging .build/screen

.PHONY: run build test lint sanitize docs install deb check-release clean uninstall programs executables library debug check
.PHONY: setup-run setup-test setup-packages

run: debug ## run the daemon and show its state live [DURATION=seconds]
	@Scripts/run-demo.sh $(DEBUG) $(DURATION)

build: setup-run ## build the programs for release [RUNTIME=static|dynamic]
	@$(MAKE) programs

test: setup-test ## build and pass all tests, with a tenth of the rows of sweeps [ROWS=all]
	@$(if $(ROWS),ORIENTATIOND_ALL_ROWS=1) Scripts/run-tests.py

# What the build of a package passes: without umockdev and third-party clients. Nothing with ORIENTATIOND_PROGRAMS.
TEST_OPTIONS ?=
check:
ifeq ($(ORIENTATIOND_PROGRAMS),)
	@Scripts/run-tests.py --without-programs $(TEST_OPTIONS)
endif

lint: setup-run ## check format, words, imports, text as bytes, lazy chains, man pages and the files of the library for C
	$(SETUP) groff-base
	Tests/System/VirtualMachine/run.py --check
	@! groff -Kutf8 -t -man -Tutf8 -wmac -z man/* 2>&1 | grep .
	swift format lint --strict --recursive Package.swift Sources Tests Examples Fuzzing
	cmp Examples/gtk/Sources/GTKRotation/WaylandOutputs.swift Examples/sdl/Sources/SDLRotation/WaylandOutputs.swift
	Scripts/check-words.py --self-test
	Scripts/check-words.py
	Scripts/check-imports.py --self-test
	Scripts/check-imports.py
	Scripts/check-bytes.py --self-test
	Scripts/check-bytes.py
	Scripts/check-library.sh
	Scripts/run-tests.py --self-test
	Scripts/check-release.py --self-test
	Scripts/build-docs.py --self-test
	Scripts/machines.py --self-test
	Scripts/machines.py check
	$(SWIFT_BUILD) --explicit-target-dependency-import-check error

sanitize: setup-test ## pass the tests under the thread and the address sanitizer
	Scripts/sanitize.sh thread
	Scripts/sanitize.sh address

docs: setup-run ## build the pages, the manuals and the libraries' documentation as HTML into .build/docs
	$(SETUP) cmark-gfm mandoc
	@Scripts/convert-libraries.sh .build/doc-archives
	@Scripts/build-docs.py .build/doc-archives .build/docs

install: ## install what `make build` built [DESTDIR= PREFIX=/usr/local INIT=systemd|openrc|runit]
	INIT=$(INIT) RUNTIME=$(RUNTIME) Scripts/install.sh install "$(DESTDIR)" "$(PREFIX)" \
		"$(or $(ORIENTATIOND_PROGRAMS),.build/release)" $(COMPONENT)

# With the same PREFIX, SBINDIR and INIT.
uninstall:
	INIT=$(INIT) Scripts/install.sh uninstall "$(DESTDIR)" "$(PREFIX)"

ifeq ($(ARCH),$(if $(ARCH),$(shell dpkg --print-architecture)))
deb: build ## make the Debian packages [ARCH=arm64]
	$(SETUP) debhelper dh-python dpkg-dev
	@Scripts/make-deb.sh .build/release
else ifeq ($(ARCH),arm64)
# Debian's Swift for amd64 compiles for arm64, in directories that only root can enter.
deb:
	$(SETUP) $(ROOT_PACKAGES) git
	@swift package resolve
	@$(SUDO) Scripts/cross-build.py .build/debian-swift .build/arm64 $(TEST_PACKAGES)
else
deb:
	@echo "make deb: ARCH=$(ARCH): must be arm64 or the architecture of this machine" >&2; exit 64
endif

check-release: ## pass everything that a release needs; interrupted, it continues [SUITES=names]
	@Scripts/check-release.py $(SUITES)

clean: ## remove what was built
	@for folder in $(ROOT_FOLDERS); do [ ! -e $$folder ] || $(SUDO) rm -rf $$folder || exit 1; done
	rm -rf .build .build-* Examples/*/.build

# The library for C, by meson: without Swift's runtime. BUS is its option sd-bus; with none it has no backend for iio-sensor-proxy.
LIBRARY       ?= .build/release/liborientation.so.0
LIBRARY_BUILD  = $(dir $(LIBRARY))meson
BUS           ?= auto
CFLAGS        ?= -O2 -g -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2

library:
	@mkdir -p $(LIBRARY_BUILD)
	@CC="$(CC)" CFLAGS="$(CPPFLAGS) $(CFLAGS)" LDFLAGS="$(LDFLAGS)" meson setup --buildtype=plain -Dsd-bus=$(BUS) -Dtests=false \
		-Dpython=disabled $$([ ! -f $(LIBRARY_BUILD)/build.ninja ] || echo --reconfigure) $(LIBRARY_BUILD) >$(LIBRARY_BUILD)/log \
		|| { cat $(LIBRARY_BUILD)/log >&2; exit 1; }
	@meson compile -C $(LIBRARY_BUILD)
	@cp $(LIBRARY_BUILD)/liborientation.so.0 $(LIBRARY)

# C: linked by Swift, the program would have Swift's runtime inside.
MONITOR_FLAGS = "-ffile-prefix-map=$(TOP)=." -fstack-protector-strong -fPIE -pie -Wl,-z,relro,-z,now -Wall

# Without the check for Debian packages.
programs: executables
ifeq ($(ORIENTATIOND_PROGRAMS),)
	@$(MAKE) library
endif

executables: $(if $(ORIENTATIOND_PROGRAMS)$(filter dynamic,$(RUNTIME)),,$(STATIC)/libstdc++.a)
ifeq ($(filter static dynamic,$(RUNTIME)),)
	@echo "make: RUNTIME=$(RUNTIME): must be static or dynamic" >&2; exit 64
endif
ifeq ($(ORIENTATIOND_PROGRAMS),)
	$(SWIFT_BUILD) $(RELEASE) --product orientationd
	$(SWIFT_BUILD) $(RELEASE) --product orientationctl
	$(SWIFT_BUILD) $(RELEASE) --product orientation-autorotate
	$(SWIFT_BUILD) $(RELEASE) --product orientation-tablet-switch
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(MONITOR_FLAGS) Sources/Tool/monitor-sensor/main.c -o "$$($(SWIFT_BUILD) $(RELEASE) --show-bin-path)/monitor-sensor" -lsystemd
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

debug: setup-run
	@$(SWIFT_BUILD) --product orientationd
	@$(SWIFT_BUILD) --product orientationctl

setup-run:
	$(SETUP) $(RUN_PACKAGES)

setup-test: setup-packages .build/python/installed
	@Scripts/get-protocols.sh .build/protocols

setup-packages:
	$(SETUP) $(TEST_PACKAGES)

# Third-party clients, for the tests.
.build/python/installed: Scripts/python-packages.txt
	python3 -m venv .build/python
	.build/python/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@
