// SPDX-License-Identifier: Apache-2.0

import AppManifest
import Foundation
import InterfaceRotation
import OrientationModel
import Testing

/// Holds "A Linux app in ten minutes" against the program of the article, which is built and run with the others,
/// and runs the lines that are not in it.
@MainActor @Suite struct TenMinutesTests {
    private static let here = URL(filePath: #filePath)
    private static let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func file(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    /// What the article has in its fences: the package, the program, how to run it, single lines, and the manifest.
    private func blocks() throws -> [String] {
        let parts = try file("Sources/Client/OrientationClient/OrientationClient.docc/TenMinutes.md")
            .components(separatedBy: "```")
        return stride(from: 1, to: parts.count, by: 2).map { index in
            String(parts[index].drop { $0 != "\n" }.dropFirst())
        }
    }

    @Test func `R24: the program of the article is the one that is built and run`() throws {
        let blocks = try blocks()
        #expect(blocks.count == 7)
        #expect(try file("Examples/interface/Reader/reader.desktop") == blocks[5])
        let licence = "// SPDX-License-Identifier: Apache-2.0\n\n"
        #expect(try file("Examples/interface/Reader/main.swift") == licence + blocks[1])
    }

    @Test func `R24: the article's package has a product for each import, and this one has the products`() throws {
        let blocks = try blocks()
        let products = blocks[0].matches(of: /product\(name: "(\w+)", package: "orientationd"\)/).map { $0.1 }
        let imports = blocks[1].matches(of: /(?m)^import (\w+)$/).map { $0.1 }
        #expect(products == imports && imports.count == 1)
        let package = try file("Package.swift")
        for product in products { #expect(package.contains(".library(name: \"\(product)\"")) }
        #expect(package.contains("name: \"orientationd\""))
        // Both build the program with the isolation of the main actor.
        #expect(blocks[0].contains("],\n            swiftSettings: [.defaultIsolation(MainActor.self)])"))
        #expect(package.contains("let onLoop: [SwiftSetting] = strict + [.defaultIsolation(MainActor.self)]"))
        let target = package.components(separatedBy: "name: \"Reader\", dependencies").last
        #expect(target?.components(separatedBy: ".testTarget").first?.contains("swiftSettings: onLoop") == true)
    }

    @Test func `R24: the article's other lines compile and do what it says`() throws {
        typealias Frames = ManualFrameClock
        let screen = Screen(size: Size(width: 720, height: 1440), rotator: .compositor)
        // Not called: in the app's own folder.
        func declared() throws -> Application {
            let manifest = try OrientationManifest(desktopEntry: "reader.desktop", idiom: .phone)
            let application = Application(idiom: .phone, manifest: manifest, screen: screen, frameClock: Frames())
            return application
        }
        let application = Application(screen: screen, frameClock: ManualFrameClock())
        let window = Window(application: application)
        window.rootViewController = ViewController()
        window.makeKeyAndVisible()

        let simulation = OrientationSimulation(.portrait)
        application.device.follow(simulation)
        simulation.turn(to: .landscapeLeft)
        #expect(window.interfaceOrientation == .landscapeRight)

        screen.outputTransform = try DisplayRotation(waylandTransform: 1)
        #expect(screen.outputTransform.interface(on: screen.shape) == .landscapeLeft)

        func lines(_ text: String) -> String {
            text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
        }
        let tested = lines(try String(contentsOf: Self.here, encoding: .utf8))
        for block in try [3, 4, 6].map({ try blocks()[$0] }) { #expect(tested.contains(lines(block)), "\(block)") }
    }
}
