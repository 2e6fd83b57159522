// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// One list for every target: what the compiler can check, it checks.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "orientationd",
    products: [
        .library(name: "OrientationModel", targets: ["OrientationModel"]),
        .executable(name: "orientationctl", targets: ["orientationctl"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        // The model: pure values, nothing but the standard library and libm.
        .target(name: "OrientationModel", swiftSettings: strict),
        .testTarget(
            name: "OrientationModelTests", dependencies: ["OrientationModel"],
            swiftSettings: strict),

        // Recordings: the project's own format and plain CSV.
        .target(name: "Recordings", dependencies: ["OrientationModel"], swiftSettings: strict),
        .testTarget(
            name: "RecordingsTests", dependencies: ["Recordings", "OrientationModel"],
            swiftSettings: strict),

        // Samples from elsewhere: a simulated device today, real ones beside it.
        .target(name: "Sensing", dependencies: ["OrientationModel"], swiftSettings: strict),
        .testTarget(
            name: "SensingTests", dependencies: ["Sensing", "OrientationModel"], swiftSettings: strict),

        // The tool: a file per subcommand.
        .executableTarget(
            name: "orientationctl",
            dependencies: [
                "Recordings", "OrientationModel",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
