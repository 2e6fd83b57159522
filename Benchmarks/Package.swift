// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own, so that what it needs never reaches users of the libraries.
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
    ],
    swiftLanguageModes: [.v6]
)
