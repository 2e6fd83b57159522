#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# sanitize.sh thread|address: build and run the tests with a sanitizer, in a separate build directory.
#
# Without the end-to-end tests: the preloaded libraries of umockdev and of the sanitizers must both be loaded first.
set -eu

# The sanitizer reports crashes; Swift's backtracer interferes.
SWIFT_BACKTRACE=enable=no
# LeakSanitizer reports Swift's globals, whose pointers have tag bits, and XCTest's.
ASAN_OPTIONS=detect_leaks=0
# Package.swift leaves the end-to-end tests out.
ORIENTATIOND_LEFT_OUT=EndToEndTests
export SWIFT_BACKTRACE ASAN_OPTIONS ORIENTATIOND_LEFT_OUT
# Whole modules take a fifth less processor time, in a build that seldom follows a change.
exec Scripts/run-tests.py "--sanitize=$1" --scratch-path ".build-$1" -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2
