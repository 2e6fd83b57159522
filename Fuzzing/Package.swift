// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A separate package because libFuzzer provides its own main. Fuzz tests the parsers of the service, FuzzClient the parsers
// and the output of `orientationctl`, FuzzCore those of the sensor core's messages. `make -C Tests/System fuzz SECONDS=60`
// builds and runs them, with these commands:
//
//     ORIENTATIOND_FUZZING=1 swift build -c release --sanitize=fuzzer -Xswiftc -sanitize=address,fuzzer \
//         -Xswiftc -enable-testing
//     ASAN_OPTIONS=detect_leaks=0 .build/release/Fuzz -max_total_time=60 -detect_leaks=0 -dict=varlink.dict \
//         -max_len=1024 -artifact_prefix=.build/ .build/found Corpus
//
// `--sanitize=address` together with `--sanitize=fuzzer` records no coverage. Leak detection is off: it does not recognize
// Swift's tagged pointers. To check that the fuzzer finds crashes, build with `-Xswiftc -DPLANTED_CRASH`.
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
        .executableTarget(
            name: "FuzzCore", dependencies: [.product(name: "CoreFuzzing", package: "orientationd")],
            swiftSettings: [.unsafeFlags(["-parse-as-library"])]),
    ],
    swiftLanguageModes: [.v6]
)
