// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "follow",
    dependencies: [.package(name: "orientationd", path: "../../..")],
    targets: [
        .executableTarget(
            name: "follow",
            dependencies: [
                .product(name: "OrientationClient", package: "orientationd"),
                .product(name: "OrientationModel", package: "orientationd"),
            ]),
        .executableTarget(
            name: "hold",
            dependencies: [
                .product(name: "OrientationClient", package: "orientationd"),
                .product(name: "Varlink", package: "orientationd"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
