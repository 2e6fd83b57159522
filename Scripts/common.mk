# SPDX-License-Identifier: Apache-2.0
#
# Included by each Makefile, which sets ROOT, the relative path of the repository.

# Absolute, for options of compilers; it may have spaces.
TOP   := $(shell cd $(ROOT) && pwd -P)
BUILD := $(ROOT)/.build
IN    := $(if $(filter-out .,$(ROOT)), -C $(CURDIR:$(TOP)/%=%))

SWIFT_BUILD := swift build
# Programs that `swift build` built without optimization.
DEBUG       := $(BUILD)/debug
# static: Swift's runtime and libstdc++ are inside, so that the target needs no toolchain. dynamic: the distribution's libraries.
RUNTIME     ?= static
# Installed programs search no library in their own folder.
# No function pointer of a library stays writable (-z now).
RELEASE     := -c release --disable-local-rpath -Xlinker -z -Xlinker now
# No library calls back into the programs by name.
RELEASE     += -Xlinker --no-export-dynamic
STATIC      := .build/static
ifeq ($(RUNTIME),static)
RELEASE     += --static-swift-stdlib -Xlinker "-L$(TOP)/$(STATIC)"
endif
# The same programs in any folder, for reproducible packages: paths in debug information, from which the linker computes
# the build ID, are relative; no paths of compiled C modules, no hash of the compiler's input.
RELEASE     += -Xswiftc -file-prefix-map -Xswiftc "$(TOP)=." -Xcc "-ffile-prefix-map=$(TOP)=." \
	-Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs \
	-Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen

SUDO    := $(if $(filter 0,$(shell id -u)),,sudo)
# The Python with the third-party clients of the tests; `setup-test` installs it.
PYTHON  := $(BUILD)/python/bin/python3
SETUP   := @$(ROOT)/Scripts/setup.sh
MAKEFLAGS += --no-print-directory

RUN_PACKAGES  := libiio-dev libsystemd-dev libjansson-dev libwayland-dev libxcb-randr0-dev libxcb-xinput-dev \
	pkg-config binutils python3 meson
TEST_PACKAGES := $(RUN_PACKAGES) umockdev socat dbus python3-venv gcc libc6-dev udev gir1.2-umockdev-1.0 \
	python3-gi xvfb zsh fish
LIBRARY_PACKAGES := gcc g++ libc6-dev libglib2.0-dev valgrind umockdev dbus python3-gi libgudev-1.0-0 libpolkit-gobject-1-0 \
	meson golang-go rustc gir1.2-gtk-4.0 sway grim
GTK_PACKAGES  := libgtk-4-dev libwayland-dev xvfb
SDL_PACKAGES  := libsdl2-dev libsdl2-gfx-dev libwayland-dev xvfb
# For Debian in a directory, which only root can enter.
ROOT_PACKAGES := mmdebstrap debian-archive-keyring

# A source tarball has the Swift packages in vendor: nothing is downloaded.
ifneq ($(wildcard $(ROOT)/vendor),)
export ORIENTATIOND_VENDORED := 1
endif

.DEFAULT_GOAL := help

# Lists the targets that have a description, and MORE.
.PHONY: help
help:
	@awk -F':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make$(IN) %-17s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@$(if $(MORE),printf '\n%s\n' '$(MORE)')
