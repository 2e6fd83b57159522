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
        .library(name: "OrientationModel", targets: ["OrientationModel"])
    ],
    targets: [
        // The model: pure values, nothing but the standard library and libm.
        .target(name: "OrientationModel", swiftSettings: strict),
        .testTarget(
            name: "OrientationModelTests", dependencies: ["OrientationModel"],
            swiftSettings: strict),

        // Samples from elsewhere: a simulated device today, real ones beside it.
        .target(name: "Sensing", dependencies: ["OrientationModel"], swiftSettings: strict),
        .testTarget(
            name: "SensingTests", dependencies: ["Sensing", "OrientationModel"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
