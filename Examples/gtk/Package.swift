// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// GTK calls everything on the main thread.
let onMainThread: [SwiftSetting] = [
    .treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny"), .defaultIsolation(MainActor.self),
]

let package = Package(
    name: "reader-gtk",
    dependencies: [.package(name: "orientationd", path: "../..")],
    targets: [
        .systemLibrary(name: "CGTK", pkgConfig: "gtk4-wayland", providers: [.apt(["libgtk-4-dev"])]),
        .systemLibrary(
            name: "CWaylandOutput", pkgConfig: "wayland-client", providers: [.apt(["libwayland-dev"])]),
        .target(
            name: "GTKRotation",
            dependencies: [
                "CGTK", "CWaylandOutput",
                .product(name: "InterfaceRotation", package: "orientationd"),
                .product(name: "OrientationClient", package: "orientationd"),
                .product(name: "OrientationModel", package: "orientationd"),
            ],
            swiftSettings: onMainThread),
        .executableTarget(
            name: "reader-gtk",
            dependencies: [
                "CGTK", "GTKRotation",
                .product(name: "InterfaceRotation", package: "orientationd"),
                .product(name: "OrientationModel", package: "orientationd"),
            ],
            swiftSettings: onMainThread),
    ],
    swiftLanguageModes: [.v6]
)
