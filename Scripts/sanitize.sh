#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# sanitize.sh thread|address: build and pass the tests under a sanitizer, in a build folder of its own.
#
# The end-to-end tests are left out: umockdev's preloaded library and the sanitizers' both insist on being first.
set -eu

# A crash is reported by the sanitizer; Swift's own backtracer would only get in its way.
SWIFT_BACKTRACE=enable=no
# The leak check takes Swift's globals for leaks, since it does not see through pointers with bits in them, and XCTest's own.
ASAN_OPTIONS=detect_leaks=0
export SWIFT_BACKTRACE ASAN_OPTIONS
# As in make test, those that run whole programs come after the others, whose threads they would take.
programs='InterfaceExampleTests|OrientationCtlTests|VarlinkInteropTests'
swift test --sanitize="$1" --scratch-path ".build-$1" --skip "^(EndToEndTests|$programs)"
exec swift test --skip-build --sanitize="$1" --scratch-path ".build-$1" --filter "^($programs)"
