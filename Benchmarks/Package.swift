// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A separate package, so that users of the libraries do not get its dependencies.
let package = Package(
    name: "benchmarks",
    dependencies: [
        .package(name: "orientationd", path: ".."),
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .target(name: "CAllocationCount", path: "Benchmarks/CAllocationCount"),
        .executableTarget(
            name: "ClassifierBenchmarks",
            dependencies: [
                "CAllocationCount",
                .product(name: "OrientationModel", package: "orientationd"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/ClassifierBenchmarks",
            swiftSettings: [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")],
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
        .executableTarget(
            name: "RotationBenchmarks",
            dependencies: [
                .product(name: "InterfaceRotation", package: "orientationd"),
                .product(name: "OrientationModel", package: "orientationd"),
            ],
            path: "Benchmarks/RotationBenchmarks",
            swiftSettings: [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")]),
    ],
    swiftLanguageModes: [.v6]
)
