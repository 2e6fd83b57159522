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

/// For the rooms that live on the daemon's one loop thread.
let onLoop: [SwiftSetting] = strict + [.defaultIsolation(MainActor.self)]

let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

// CONTRIBUTING.md draws the rooms and the arrows between them; Scripts/check-arrows.py holds the imports to it.
let package = Package(
    name: "orientationd",
    products: [
        .library(name: "OrientationClient", targets: ["OrientationClient"]),
        .library(name: "InterfaceRotation", targets: ["InterfaceRotation"]),
        .library(name: "AppManifest", targets: ["AppManifest"]),
        .library(name: "OrientationModel", targets: ["OrientationModel"]),
        .library(name: "Varlink", targets: ["Varlink"]),
        .executable(name: "orientationd", targets: ["orientationd"]),
        .executable(name: "orientationctl", targets: ["orientationctl"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        // C libraries, and what Swift's Glibc lacks.
        .systemLibrary(name: "CIIO", pkgConfig: "libiio", providers: [.apt(["libiio-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
        .target(name: "CPosix"),

        // The model: pure values, nothing but the standard library and libm.
        .target(name: "OrientationModel", swiftSettings: strict),
        .testTarget(
            name: "OrientationModelTests", dependencies: ["OrientationModel", "SeededRandomness"], swiftSettings: strict
        ),

        // What is wrong where the screen does not turn: facts in, findings out.
        .target(name: "Diagnosis", dependencies: ["OrientationModel"], swiftSettings: strict),
        .testTarget(
            name: "DiagnosisTests", dependencies: ["Diagnosis", "OrientationModel"], swiftSettings: strict),

        // How an app's interface follows the device: the rules, and UIKit's objects over them.
        .target(name: "InterfaceRotation", dependencies: ["OrientationModel"], swiftSettings: strict),
        .testTarget(
            name: "InterfaceRotationTests",
            dependencies: ["InterfaceRotation", "OrientationModel", "SeededRandomness"],
            swiftSettings: strict),

        // What an app declares for itself, read from its manifest. Apart, because it needs Foundation.
        .target(name: "AppManifest", dependencies: ["InterfaceRotation"], swiftSettings: strict),
        .testTarget(
            name: "AppManifestTests", dependencies: ["AppManifest", "InterfaceRotation"], swiftSettings: strict),

        // Samples: where they come from.
        .target(name: "Recordings", dependencies: ["OrientationModel"], swiftSettings: strict),
        .testTarget(
            name: "RecordingsTests", dependencies: ["Recordings", "OrientationModel", "SeededRandomness"],
            swiftSettings: strict),
        // How a sensor is mounted, from how it reads the poses.
        .target(name: "Calibration", dependencies: ["Recordings", "OrientationModel"], swiftSettings: strict),
        .testTarget(
            name: "CalibrationTests",
            dependencies: ["Calibration", "OrientationModel", "Recordings", "SeededRandomness", "Sensing"],
            swiftSettings: strict),
        .target(
            name: "Sensing", dependencies: ["Recordings", "OrientationModel", "CPosix"], swiftSettings: strict
        ),
        .testTarget(
            name: "SensingTests", dependencies: ["Sensing", "OrientationModel"], swiftSettings: strict),
        .target(
            name: "IIOSensing", dependencies: ["CIIO", "Sensing", "Recordings", "OrientationModel"],
            swiftSettings: strict),
        .testTarget(name: "IIOSensingTests", dependencies: ["IIOSensing", "OrientationModel"], swiftSettings: strict),

        // The loop: libsystemd.
        .target(name: "Systemd", dependencies: ["CSystemd", logging], swiftSettings: onLoop),

        // The protocol: knows nothing of orientation.
        .target(name: "Varlink", dependencies: ["CJansson", "CPosix"], swiftSettings: strict),
        .testTarget(
            name: "VarlinkTests", dependencies: ["SeededRandomness", "TestServer", "Varlink"], swiftSettings: strict),

        // What goes over the wire: the interfaces and the types of their messages.
        .target(
            name: "OrientationWire", dependencies: ["OrientationModel", "Varlink"],
            resources: [
                .embedInCode("org.orientationd.Orientation.varlink"),
                .embedInCode("org.orientationd.Motion.varlink"),
                .embedInCode("org.orientationd.Control.varlink"),
                .embedInCode("org.orientationd.Simulator.varlink"),
            ], swiftSettings: strict),
        .testTarget(
            name: "OrientationWireTests", dependencies: ["OrientationModel", "OrientationWire", "Varlink"],
            swiftSettings: strict),

        // The daemon.
        .target(
            name: "OrientationDaemon",
            dependencies: [
                "OrientationModel", "OrientationWire", "Varlink", "Sensing", "IIOSensing", "Systemd", "CPosix",
                logging,
            ], swiftSettings: onLoop),
        .testTarget(
            name: "OrientationDaemonTests",
            dependencies: [
                "OrientationDaemon", "OrientationModel", "Sensing", "Systemd", "TestServer", "Varlink", logging,
            ], swiftSettings: onLoop),
        .executableTarget(
            name: "orientationd", dependencies: ["OrientationDaemon", logging], swiftSettings: strict),
        // The library for apps.
        .target(
            name: "OrientationClient",
            dependencies: ["InterfaceRotation", "OrientationModel", "OrientationWire", "Varlink"],
            swiftSettings: strict),
        .testTarget(
            name: "OrientationClientTests",
            dependencies: [
                "InterfaceRotation", "OrientationClient", "OrientationModel", "OrientationWire", "TestServer",
                "Varlink",
            ],
            swiftSettings: strict),

        // Random numbers that are the same in every run, for tests.
        .target(name: "SeededRandomness", path: "Tests/SeededRandomness", swiftSettings: strict),

        // A small service on a thread of its own, for tests; and what others' clients and services make of ours.
        .target(
            name: "TestServer", dependencies: ["OrientationModel", "OrientationWire", "Varlink"],
            path: "Tests/TestServer", swiftSettings: strict),
        .testTarget(
            name: "VarlinkInteropTests", dependencies: ["OrientationModel", "TestServer", "Varlink"],
            exclude: ["Python"], swiftSettings: strict),

        // The tool: a file per subcommand.
        .executableTarget(
            name: "orientationctl",
            dependencies: [
                "Calibration", "Diagnosis", "OrientationClient", "OrientationWire", "Varlink", "Recordings",
                "OrientationModel",
                argumentParser,
            ], swiftSettings: strict),
        // Runs the tool as it was built, and looks at the screens that it makes.
        .testTarget(
            name: "OrientationCtlTests", dependencies: ["OrientationModel", "orientationctl"], exclude: ["Screens"],
            swiftSettings: strict),

        // The programs as their users have them, with real libiio, real sockets, and clients that others wrote.
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "Gallery", "OrientationModel", "Overlay", "Player", "Reader", "TestServer", "TwoLayouts", "Varlink",
                "orientationctl", "orientationd",
            ],
            exclude: ["Native", "Python", "Transcripts"], swiftSettings: strict),

        // Apps that turn in the terminal. Who uses a library of this package never builds them.
        .target(
            name: "ExampleTerminal", dependencies: ["InterfaceRotation", "OrientationClient", "OrientationModel"],
            path: "Examples/interface/Terminal", swiftSettings: strict),
        .executableTarget(
            name: "Gallery", dependencies: ["ExampleTerminal", "InterfaceRotation"],
            path: "Examples/interface/Gallery", swiftSettings: strict),
        .executableTarget(
            name: "Player", dependencies: ["ExampleTerminal", "InterfaceRotation", "OrientationModel"],
            path: "Examples/interface/Player", swiftSettings: strict),
        .executableTarget(
            name: "TwoLayouts", dependencies: ["ExampleTerminal", "InterfaceRotation", "OrientationModel"],
            path: "Examples/interface/TwoLayouts", swiftSettings: strict),
        .executableTarget(
            name: "Overlay", dependencies: ["ExampleTerminal", "InterfaceRotation"],
            path: "Examples/interface/Overlay", swiftSettings: strict),
        // The app of the article "For a Linux app in ten minutes".
        .executableTarget(
            name: "Reader", dependencies: ["AppManifest", "InterfaceRotation", "OrientationClient"],
            path: "Examples/interface/Reader", exclude: ["reader.desktop"], swiftSettings: strict),
        .testTarget(
            name: "InterfaceExampleTests",
            dependencies: [
                "Gallery", "InterfaceRotation", "OrientationClient", "OrientationModel", "Overlay", "Player",
                "TestServer", "TwoLayouts",
            ], exclude: ["Transcripts"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
