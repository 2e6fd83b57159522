// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// SDL's video functions are called on the main thread.
let onMainThread: [SwiftSetting] = [
    .treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny"), .defaultIsolation(MainActor.self),
]

let package = Package(
    name: "reader-sdl",
    dependencies: [.package(name: "orientationd", path: "../..")],
    targets: [
        .systemLibrary(
            name: "CSDL", pkgConfig: "SDL2_gfx", providers: [.apt(["libsdl2-dev", "libsdl2-gfx-dev"])]),
        .systemLibrary(
            name: "CWaylandOutput", pkgConfig: "wayland-client", providers: [.apt(["libwayland-dev"])]),
        .target(
            name: "SDLRotation",
            dependencies: [
                "CSDL", "CWaylandOutput",
                .product(name: "InterfaceRotation", package: "orientationd"),
                .product(name: "OrientationClient", package: "orientationd"),
                .product(name: "OrientationModel", package: "orientationd"),
            ],
            swiftSettings: onMainThread),
        .executableTarget(
            name: "reader-sdl",
            dependencies: [
                "CSDL", "SDLRotation",
                .product(name: "InterfaceRotation", package: "orientationd"),
                .product(name: "OrientationModel", package: "orientationd"),
            ],
            swiftSettings: onMainThread),
    ],
    swiftLanguageModes: [.v6]
)
