// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// The settings of every target: all compiler checks.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The settings of tests that run on the event loop's thread.
let onLoop: [SwiftSetting] = strict + [.defaultIsolation(MainActor.self)]

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

/// The source tarball of `make -C packaging dist` has these packages in `vendor`; Scripts/common.mk sets the variable.
let areDependenciesVendored = Context.environment["ORIENTATIOND_VENDORED"] != nil

/// Returns the modules of a folder, each in a folder of its own name.
func folder(_ path: String, _ modules: [Target]) -> [Target] {
    for module in modules { module.path = "\(path)/\(module.name)" }
    return modules
}

// A module in Sources depends on modules declared before it only: `make lint` checks this and the imports.
let modules = [
    folder(
        "Sources/Base",
        [
            .target(name: "CPosix"),
            // C libraries, and functions that Swift's Glibc lacks.
            .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
            // Descriptors, clocks, threads, files, the options of programs.
            .target(name: "Posix", dependencies: ["CPosix"]),
            // The event loop and D-Bus: libsystemd.
            .target(name: "Systemd", dependencies: ["CSystemd", "Posix"]),
        ]),
    folder(
        "Sources/Model",
        [
            // The model: values without I/O; standard library and libm only.
            .target(name: "OrientationModel"),
            // Sources of samples.
            .target(name: "Recordings", dependencies: ["OrientationModel", "Posix"]),
        ]),
    folder(
        "Sources/Protocol",
        [
            .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
            // The protocol, independent of orientation.
            .target(name: "Varlink", dependencies: ["CJansson", "CPosix", "Posix"]),
            // A Varlink service on the event loop: its clients, within limits.
            .target(
                name: "VarlinkServer", dependencies: ["CPosix", "Posix", "Systemd", "Varlink"]),
            // The Varlink interfaces and their message types.
            .target(
                name: "OrientationWire", dependencies: ["OrientationModel", "Varlink"],
                resources: [
                    .embedInCode("org.orientationd.Orientation.varlink"),
                    .embedInCode("org.orientationd.Motion.varlink"),
                    .embedInCode("org.orientationd.Control.varlink"),
                    .embedInCode("org.orientationd.Simulator.varlink"),
                    .embedInCode("org.orientationd.Display.varlink"),
                ]),
        ]),
    folder(
        "Sources/Client",
        [
            // The library for C, which the others wrap; meson builds it as liborientation.so.0.
            .target(
                name: "CLibrary", dependencies: ["CJansson", "CSystemd"],
                exclude: ["liborientation.map", "orientation.pc.in"], publicHeadersPath: ".",
                cSettings: [.define("ORIENTATION_HAS_BUS")]),
            // The library for apps. The synchronous core is for any main loop: without Foundation, Dispatch and tasks.
            .target(
                name: "OrientationClientCore",
                dependencies: ["CLibrary", "OrientationModel", "OrientationWire", "Posix", "Varlink"]),
            // The library for apps.
            .target(
                name: "OrientationClient",
                dependencies: ["OrientationClientCore", "OrientationModel", "OrientationWire", "Varlink"]),
        ]),
    folder(
        "Sources/Apps",
        [
            // Orientations of interfaces, and the decision: values.
            .target(name: "OrientationRules", dependencies: ["OrientationModel"]),
            // UIKit's classes on top of the rules, and a device that follows the daemon.
            .target(
                name: "InterfaceRotation", dependencies: ["OrientationClient", "OrientationModel", "OrientationRules"]),
            // The main group of desktop files, and its key that declares orientations.
            .target(name: "DesktopEntry", dependencies: ["OrientationModel", "OrientationRules", "Posix"]),
            // App manifests. A separate module because it needs Foundation.
            .target(
                name: "AppManifest", dependencies: ["DesktopEntry", "OrientationModel", "OrientationRules", "Posix"]),
        ]),
    folder(
        "Sources/Sensors",
        [
            .systemLibrary(name: "CIIO", pkgConfig: "libiio", providers: [.apt(["libiio-dev"])]),
            // The sensor threads, and the sources of samples: libiio, event nodes, recordings, simulated sensors.
            .target(
                name: "Sensors", dependencies: ["CIIO", "CPosix", "OrientationModel", "Posix", "Recordings"]),
        ]),
    folder(
        "Sources/Daemon",
        [
            // The daemon.
            .target(
                name: "OrientationDaemon",
                dependencies: [
                    "CPosix", "OrientationModel", "OrientationWire", "Posix", "Sensors", "Systemd", "Varlink",
                    "VarlinkServer",
                ]),
            .executableTarget(
                name: "orientationd", dependencies: ["OrientationDaemon", "Posix", "Systemd"]),
        ]),
    folder(
        "Sources/Agent",
        [
            .systemLibrary(name: "CWaylandClient", pkgConfig: "wayland-client", providers: [.apt(["libwayland-dev"])]),
            .target(name: "CWayland", dependencies: ["CWaylandClient"]),
            .systemLibrary(
                name: "CXCB", pkgConfig: "xcb-xinput", providers: [.apt(["libxcb-randr0-dev", "libxcb-xinput-dev"])]),
            // Displays: the outputs of compositors and X servers.
            .target(
                name: "Displays",
                dependencies: [
                    "CPosix", "CWayland", "CWaylandClient", "CXCB", "OrientationModel", "Posix", "Systemd", "Varlink",
                ]),
            // The session agent.
            .target(
                name: "Autorotate",
                dependencies: [
                    "DesktopEntry", "Displays", "OrientationClientCore", "OrientationModel", "OrientationRules",
                    "OrientationWire", "Posix", "Systemd", "Varlink", "VarlinkServer",
                ]),
            .executableTarget(
                name: "orientation-autorotate", dependencies: ["Autorotate", "Posix", "Systemd"]),
        ]),
    folder(
        "Sources/TabletSwitch",
        [
            // The kernel's uinput.
            .target(name: "CUinput", dependencies: ["CPosix"]),
            // The tablet switch that follows the lid angle.
            .executableTarget(
                name: "orientation-tablet-switch",
                dependencies: [
                    "CUinput", "OrientationClientCore", "OrientationModel", "OrientationWire", "Posix", "Systemd",
                ]),
        ]),
    folder(
        "Sources/Tool",
        [
            // The tool. A library, for tests and the fuzzer.
            .target(
                name: "OrientationTool",
                dependencies: [
                    "DesktopEntry", "OrientationClient", "OrientationModel", "OrientationRules", "OrientationWire",
                    "Posix", "Recordings", "Varlink", argumentParser,
                ]),
            .executableTarget(name: "orientationctl", dependencies: ["OrientationTool"]),
        ]),
    folder(
        "Tests/Base",
        [
            .testTarget(name: "PosixTests", dependencies: ["Posix", "TestSupport"]),
            .testTarget(
                name: "SystemdTests",
                dependencies: [
                    "CSystemd", "Posix", "SeededRandomness", "Systemd", "SystemdTestSupport", "TestSupport",
                ],
                swiftSettings: onLoop),
            // An event loop that runs step by step, and a private bus, for tests.
            .target(name: "SystemdTestSupport", dependencies: ["CSystemd", "Systemd"], swiftSettings: onLoop),
            // Temporary directories and programs, for tests.
            .target(name: "TestSupport"),
            // Seeded random numbers, for tests.
            .target(name: "SeededRandomness"),
        ]),
    folder(
        "Tests/Model",
        [
            .testTarget(
                name: "OrientationModelTests", dependencies: ["OrientationModel", "SeededRandomness"]),
            .testTarget(
                name: "RecordingsTests", dependencies: ["OrientationModel", "Recordings", "SeededRandomness"]),
        ]),
    folder(
        "Tests/Protocol",
        [
            .testTarget(
                name: "VarlinkTests", dependencies: ["SeededRandomness", "TestServer", "TestSupport", "Varlink"]),
            .testTarget(
                name: "VarlinkServerTests",
                dependencies: [
                    "Systemd", "SystemdTestSupport", "TestServer", "TestSupport", "Varlink", "VarlinkServer",
                ], swiftSettings: onLoop),
            .testTarget(
                name: "OrientationWireTests",
                dependencies: ["OrientationModel", "OrientationWire", "SeededRandomness", "TestServer", "Varlink"]),
            // Services and clients for tests; and tests with third-party implementations.
            .target(
                name: "TestServer", dependencies: ["OrientationModel", "OrientationWire", "Posix", "Varlink"]),
        ]),
    folder(
        "Tests/Apps",
        [
            .testTarget(
                name: "OrientationRulesTests",
                dependencies: ["OrientationModel", "OrientationRules", "SeededRandomness"]),
            .testTarget(
                name: "InterfaceRotationTests",
                dependencies: [
                    "InterfaceRotation", "OrientationClient", "OrientationModel", "OrientationRules",
                    "SeededRandomness", "TestServer", "TestSupport",
                ]),
            .testTarget(
                name: "DesktopEntryTests",
                dependencies: ["DesktopEntry", "OrientationModel", "SeededRandomness", "TestSupport"]),
            .testTarget(
                name: "AppManifestTests",
                dependencies: [
                    "AppManifest", "InterfaceRotation", "OrientationModel", "OrientationRules", "TestSupport",
                ]),
        ]),
    folder(
        "Tests/Client",
        [
            .testTarget(
                name: "OrientationClientCoreTests",
                dependencies: [
                    "OrientationClientCore", "OrientationModel", "OrientationWire", "TestServer", "TestSupport",
                    "Varlink",
                ]),
            .testTarget(
                name: "OrientationClientTests",
                dependencies: [
                    "LoopClient", "OrientationClient", "OrientationClientCore", "OrientationModel", "OrientationWire",
                    "TestServer", "TestSupport", "Varlink",
                ]),
            // The client of the contract suite of the library for C.
            .executableTarget(
                name: "ContractDriver", dependencies: ["OrientationClientCore", "OrientationModel", "Varlink"]),
            // An app under several main loops, for tests.
            .executableTarget(
                name: "LoopClient", dependencies: ["InterfaceRotation", "OrientationClient", "OrientationModel"]),
        ]),
    folder(
        "Tests/Sensors",
        [
            .testTarget(
                name: "SensorsTests",
                dependencies: ["OrientationModel", "Posix", "SeededRandomness", "Sensors", "TestSupport"])
        ]),
    folder(
        "Tests/TabletSwitch",
        [
            .testTarget(name: "TabletSwitchTests", dependencies: ["orientation-tablet-switch"])
        ]),
    folder(
        "Tests/Daemon",
        [
            .testTarget(
                name: "OrientationDaemonTests",
                dependencies: [
                    "OrientationDaemon", "OrientationModel", "OrientationWire", "Posix", "Sensors", "Systemd",
                    "SystemdTestSupport", "TestServer", "TestSupport", "Varlink", "VarlinkServer",
                ], swiftSettings: onLoop)
        ]),
    folder(
        "Tests/Agent",
        [
            .testTarget(
                name: "DisplaysTests",
                dependencies: [
                    "CWayland", "CXCB", "Displays", "OrientationModel", "Posix", "Systemd", "SystemdTestSupport",
                    "TestSupport", "Varlink",
                ], swiftSettings: onLoop),
            .testTarget(
                name: "AutorotateTests",
                dependencies: [
                    "Autorotate", "CSystemd", "Displays", "InterfaceRotation", "orientationctl",
                    "OrientationClientCore",
                    "OrientationModel", "OrientationWire", "SeededRandomness", "Systemd", "SystemdTestSupport",
                    "TestServer", "TestSupport", "Varlink", "VarlinkServer",
                ],
                swiftSettings: onLoop),
        ]),
    folder(
        "Tests/Tool",
        [
            .testTarget(
                name: "OrientationToolTests",
                dependencies: [
                    "OrientationModel", "OrientationTool", "OrientationWire", "Posix", "Recordings", "SeededRandomness",
                    "TestSupport", "Varlink",
                ],
                exclude: ["Watch/Screens"]),
            // The files in `machines`.
            .testTarget(
                name: "MachineTests",
                dependencies: [
                    "OrientationDaemon", "OrientationModel", "OrientationTool", "OrientationWire", "Sensors",
                    "TestSupport",
                ]),
        ]),
    folder(
        "Tests/Programs",
        [
            // Runs the built tool.
            .testTarget(
                name: "OrientationCtlTests",
                dependencies: [
                    "OrientationClientCore", "orientationctl", "OrientationModel", "OrientationTool", "TestSupport",
                    "Varlink",
                ]),
            // The built programs with the real libiio, real sockets, and third-party clients.
            .testTarget(
                name: "EndToEndTests",
                dependencies: [
                    "Gallery", "LoopClient", "orientation-autorotate", "orientation-tablet-switch", "orientationctl",
                    "orientationd", "OrientationModel", "Overlay", "Player", "Reader", "SeededRandomness", "TestServer",
                    "TestSupport", "TwoLayouts", "Varlink",
                ],
                exclude: ["Native", "Python", "Transcripts"]),
            .testTarget(
                name: "VarlinkInteropTests",
                dependencies: ["OrientationModel", "SeededRandomness", "TestServer", "TestSupport", "Varlink"],
                exclude: ["Python"]),
            .testTarget(
                name: "InterfaceExampleTests",
                dependencies: [
                    "AppManifest", "Gallery", "InterfaceRotation", "OrientationModel", "Overlay", "Player",
                    "TestSupport", "TwoLayouts",
                ], exclude: ["Transcripts"]),
        ]),
    [
        // Example apps for the terminal. Users of the libraries do not build them.
        .target(
            name: "ExampleTerminal", dependencies: ["InterfaceRotation", "OrientationClient", "OrientationModel"],
            path: "Examples/interface/Terminal"),
        .executableTarget(
            name: "Gallery", dependencies: ["ExampleTerminal", "InterfaceRotation"],
            path: "Examples/interface/Gallery"),
        .executableTarget(
            name: "Player", dependencies: ["ExampleTerminal", "InterfaceRotation", "OrientationModel"],
            path: "Examples/interface/Player"),
        .executableTarget(
            name: "TwoLayouts", dependencies: ["ExampleTerminal", "InterfaceRotation", "OrientationModel"],
            path: "Examples/interface/TwoLayouts"),
        .executableTarget(
            name: "Overlay", dependencies: ["ExampleTerminal", "InterfaceRotation", "OrientationModel"],
            path: "Examples/interface/Overlay"),
        // The app of the tutorial "A Linux app in ten minutes".
        .executableTarget(
            name: "Reader", dependencies: ["InterfaceRotation"], path: "Examples/interface/Reader",
            exclude: ["reader.desktop"], swiftSettings: onLoop),
    ],
].flatMap { $0 }
for module in modules where module.type != .system && module.swiftSettings == nil { module.swiftSettings = strict }

let package = Package(
    name: "orientationd",
    products: [
        .library(name: "OrientationClient", targets: ["OrientationClient"]),
        .library(name: "OrientationClientCore", targets: ["OrientationClientCore"]),
        .library(name: "InterfaceRotation", targets: ["InterfaceRotation"]),
        .library(name: "OrientationRules", targets: ["OrientationRules"]),
        .library(name: "AppManifest", targets: ["AppManifest"]),
        .library(name: "OrientationModel", targets: ["OrientationModel"]),
        .library(name: "Varlink", targets: ["Varlink"]),
        .executable(name: "orientationd", targets: ["orientationd"]),
        .executable(name: "orientationctl", targets: ["orientationctl"]),
        .executable(name: "orientation-autorotate", targets: ["orientation-autorotate"]),
        .executable(name: "orientation-tablet-switch", targets: ["orientation-tablet-switch"]),
    ],
    dependencies: areDependenciesVendored
        ? [.package(path: "vendor/swift-argument-parser")]
        : [.package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")],
    targets: modules,
    swiftLanguageModes: [.v6]
)

// Tests that are not built: those that run under no sanitizer, or those of whole programs, which a package's build lacks the tools for.
if let names = Context.environment["ORIENTATIOND_LEFT_OUT"] {
    package.targets.removeAll { names.split(separator: " ").contains(Substring($0.name)) }
}

// `make -C Tests/System fuzz` fuzzes what the client parses and prints, and messages of the sensor core: see the package in Fuzzing.
if Context.environment["ORIENTATIOND_FUZZING"] != nil {
    package.products.append(.library(name: "ClientFuzzing", targets: ["ClientFuzzing"]))
    package.products.append(.library(name: "CoreFuzzing", targets: ["CoreFuzzing"]))
    package.targets.append(
        .target(name: "CoreFuzzing", dependencies: ["Sensors"], path: "Fuzzing/Core", swiftSettings: strict))
    package.targets.append(
        .target(
            name: "ClientFuzzing",
            dependencies: [
                "OrientationClient", "OrientationModel", "OrientationTool", "OrientationWire", "Posix", "Recordings",
                "Varlink",
            ], path: "Fuzzing/Client", swiftSettings: strict))
}
