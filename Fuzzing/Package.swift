// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own, since libFuzzer brings its own main. Fuzz is what the service parses, FuzzClient what
// `orientationctl` parses and prints. `make fuzz SECONDS=60` builds and runs both; in words:
//
//     ORIENTATIOND_FUZZING=1 swift build -c release --sanitize=fuzzer -Xswiftc -sanitize=address,fuzzer \
//         -Xswiftc -enable-testing
//     ASAN_OPTIONS=detect_leaks=0 .build/release/Fuzz -max_total_time=60 -detect_leaks=0 -dict=varlink.dict \
//         -max_len=1024 -artifact_prefix=.build/ .build/found Corpus
//
// (`--sanitize=address` beside `--sanitize=fuzzer` would fuzz blind. Leaks are not looked for, since Swift's pointers
// with bits in them look lost to the leak checker.) That the fuzzer sees: `-Xswiftc -DPLANTED_CRASH`.
let package = Package(
    name: "Fuzzing",
    dependencies: [.package(name: "orientationd", path: "..")],
    targets: [
        .executableTarget(
            name: "Fuzz", dependencies: [.product(name: "Varlink", package: "orientationd")],
            swiftSettings: [.unsafeFlags(["-parse-as-library"])]),
        .executableTarget(
            name: "FuzzClient", dependencies: [.product(name: "ClientFuzzing", package: "orientationd")],
            swiftSettings: [.unsafeFlags(["-parse-as-library"])]),
    ],
    swiftLanguageModes: [.v6]
)
