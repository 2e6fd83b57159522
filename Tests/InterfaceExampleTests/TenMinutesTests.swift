// SPDX-License-Identifier: Apache-2.0

import AppManifest
import Foundation
import InterfaceRotation
import OrientationClient
import OrientationModel
import TestServer
import Testing

/// The code of "For a Linux app in ten minutes", compiled and run; a test holds article and code together.
@MainActor @Suite struct TenMinutesTests {
    @Test func `R24: the app of the article turns to landscape for its film`() throws {
        let folder = try TemporaryDirectory()
        let desktopFile = folder.path("reader.desktop")
        let entry = """
            [Desktop Entry]
            Type=Application
            Name=Reader
            Exec=reader
            X-SupportedInterfaceOrientations=portrait;landscapeLeft;landscapeRight;
            """
        try Data(entry.utf8).write(to: URL(filePath: desktopFile))
        let (frameClock, surface) = (ManualFrameClock(), Surface())

        let screen = Screen(size: Size(width: 720, height: 1440))
        let manifest = try OrientationManifest(desktopEntry: desktopFile, idiom: .phone)
        let application = Application(idiom: .phone, manifest: manifest, screen: screen, frameClock: frameClock)

        let page = ViewController(title: "Page")
        let window = Window(application: application)
        window.surface = surface
        try window.setRootViewController(page)
        try window.makeKeyAndVisible()

        let simulation = OrientationSimulation(.portrait)
        application.device.follow(simulation)
        try page.present(Film())
        frameClock.run()
        #expect(window.interfaceOrientation == .landscapeLeft)
        #expect(canvas.transforms.last == InterfaceOrientation.landscapeLeft.transform)
        simulation.turn(to: .landscapeLeft)
        frameClock.run()
        #expect(window.interfaceOrientation == .landscapeRight)

        print(window.explain()?.sentence ?? "nothing was decided yet")

        // What cannot run here, and must compile.
        func live() {
            application.device.follow(OrientationMonitor())
        }
        func underACompositor() throws {
            screen.outputTransform = try OutputRow(waylandTransform: 1)
        }
        _ = (live, underACompositor)
    }

    @Test func `R24: the code of the article is the code that is tested`() throws {
        let here = URL(filePath: #filePath)
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let article = try String(
            contentsOf: root.appending(path: "Sources/OrientationClient/OrientationClient.docc/TenMinutes.md"),
            encoding: .utf8)
        func lines(_ text: some StringProtocol) -> [String] {
            text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }
        let tested = lines(try String(contentsOf: here, encoding: .utf8)).joined(separator: "\n")
        let blocks = article.components(separatedBy: "```")
        let code = stride(from: 1, to: blocks.count, by: 2).map { blocks[$0] }
        #expect(code.count == 8)
        for block in code {
            let body = lines(block.hasPrefix("swift") ? block.dropFirst(5) : block[...]).joined(separator: "\n")
            #expect(tested.contains(body), "\(body)")
        }
    }
}

final class Film: ViewController {
    override var supportedInterfaceOrientations: InterfaceOrientationMask { .landscape }

    override func viewWillTransition(to size: Size, with coordinator: TransitionCoordinator) {
        super.viewWillTransition(to: size, with: coordinator)
        coordinator.animate { _ in self.fadeControls() }
    }
}

extension Film {
    fileprivate func fadeControls() {}
}

final class Surface: WindowSurface {
    func window(_ window: Window, shows picture: Picture) {
        canvas.draw(window, turnedBy: picture.transform, laidOutIn: picture.bounds)
    }
}

@MainActor private let canvas = Canvas()

@MainActor private final class Canvas {
    private(set) var transforms: [Transform] = []

    func draw(_ window: Window, turnedBy transform: Transform, laidOutIn bounds: Rect) {
        transforms.append(transform)
    }
}
