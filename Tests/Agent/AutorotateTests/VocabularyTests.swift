// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import OrientationRules
import OrientationWire
import Systemd
import SystemdTestSupport
import TestServer
import TestSupport
import Testing
import Varlink

@testable import Autorotate
@testable import Displays

/// One word means the same picture in `--orientations`, in desktop files and in calls of `Hold`, on both shapes of panels.
@Suite(.timeLimit(.minutes(10))) struct VocabularyTests {
    /// Where a word is written.
    enum Place: CaseIterable { case option, desktopFile, call }

    private nonisolated static let rows = Vocabulary.words + Vocabulary.uiKitNames

    /// A policy to which the place applies a list.
    private func bench(_ place: Place, _ words: [String], on shape: PanelShape) throws -> PolicyBench {
        let panel = shape == .wide ? PixelSize(width: 1920, height: 1080) : PixelSize(width: 1080, height: 1920)
        var settings = Settings()
        if place == .option {
            let request = Options.parse(["orientation-autorotate", "--orientations", words.joined(separator: ",")])
            guard case .run(let options) = request else { throw TestFailure("\(request)") }
            settings = options.settings
        }
        var bench = PolicyBench.started(settings, outputs: [Output(name: "eDP-1", mode: panel)])
        switch place {
        case .option: break
        case .call:
            let parameters: JSONObject = ["supported": .array(words.map { .string($0) })]
            var call = Call("org.orientationd.Display.Hold", parameters)
            let hold = try HoldParameters(taking: &call)
            bench.hold(OrientationHold(id: 1, supported: hold.supported, preferred: hold.preferred))
        case .desktopFile:
            let folder = try TemporaryDirectory()
            try FileManager.default.createDirectory(
                atPath: folder.path("applications"), withIntermediateDirectories: false)
            let key = "X-SupportedInterfaceOrientations=\(words.joined(separator: ";"));"
            try folder.write("[Desktop Entry]\n\(key)\n", to: "applications/film.desktop")
            var files = AppDeclarations(environment: ["XDG_DATA_HOME": folder.path, "XDG_DATA_DIRS": "/none"])
            let window = FrontWindow(id: 1, appID: "film", state: .fullscreen)
            bench.handle(.display(.frontWindow(window)))
            for event in files.find(window) { bench.handle(event) }
        }
        bench.accept()
        return bench
    }

    /// Turns the device around twice; returns the rotations that the display has during the second turn, and those among
    /// them that the device asked for.
    private func turn(_ bench: inout PolicyBench, on shape: PanelShape) -> (shown: Set<Int>, followed: Set<Int>) {
        var (shown, followed): (Set<Int>, Set<Int>) = ([], [])
        for (number, edge) in (PanelEdge.allCases + PanelEdge.allCases).enumerated() {
            bench.turn(up: edge, natural: shape.natural)
            bench.accept()
            guard number >= 4, let rotation = bench.transform?.rotation else { continue }
            shown.insert(rotation)
            if rotation == edge.rotation { followed.insert(rotation) }
        }
        return (shown, followed)
    }

    @Test(arguments: Place.allCases, rows)
    func `a word allows the same rotations everywhere, in any case and on both shapes`(
        place: Place, row: Vocabulary.Row
    ) throws {
        // UIKit's names that mean another pose are refused; see the tests of the options.
        if place == .option, row.word.hasPrefix("landscape"),
            Vocabulary.uiKitNames.contains(where: { $0.word == row.word })
        {
            return
        }
        for (shape, word) in zip(PanelShape.allCases, [row.word, row.word.uppercased()]) {
            var bench = try bench(place, [word], on: shape)
            let allowed = shape == .tall ? row.tall : row.wide
            let found = turn(&bench, on: shape)
            #expect(found.shown == allowed && found.followed == allowed, "\(shape): \(found)")
        }
    }

    @Test(arguments: [Place.desktopFile, .call])
    func `portrait beside another name of UIKit is the upright one, otherwise both`(place: Place) throws {
        for (words, allowed) in [
            (["portrait", "landscapeLeft"], Set([90, 180])), (["portrait", "landscape"], [0, 90, 180, 270]),
            (["portrait", "landscape-primary"], [0, 90, 270]),
        ] {
            var bench = try bench(place, words, on: .wide)
            #expect(turn(&bench, on: .wide).followed == allowed, "\(words)")
        }
    }

    @Test(arguments: [
        "packaging/completions/orientation-autorotate.bash", "packaging/completions/orientation-autorotate.zsh",
        "packaging/completions/orientation-autorotate.fish", "man/orientation-autorotate.1", "man/orientationctl.1",
    ])
    func `completions and man pages have all words`(file: String) throws {
        let page = try String(contentsOfFile: Programs.packageFolder + "/" + file, encoding: .utf8)
        let words = page.replacing("\\-", with: "-").split { !$0.isLetter && $0 != "-" }.map(String.init)
        #expect(Set(words).isSuperset(of: OrientationWord.allCases.map(\.rawValue)))
    }

    @Test func `one landscape of UIKit that turns the display upside down is reported once, others are not`() throws {
        for (words, shape, isReported) in [
            (["landscapeLeft"], PanelShape.wide, true), (["landscapeLeft"], .tall, false),
            (["landscapeRight"], .wide, false), (["landscapeLeft", "landscapeRight"], .wide, false),
            (["landscape-secondary"], .wide, false), (["portrait", "landscapeLeft"], .wide, true),
        ] {
            var bench = try bench(.desktopFile, words, on: shape)
            bench.turn(up: .top, natural: shape.natural)
            bench.show(nil, id: 2)
            var reports = bench.reports
            for id in UInt64(3)...4 {
                bench.desktopFiles["film"] = nil
                let window = FrontWindow(id: id, appID: "film", state: .fullscreen)
                bench.handle(.display(.frontWindow(window)))
                bench.handle(.app(AppDeclaration(id: "film", orientations: try OrientationList(words)), window: window))
                reports += bench.reports
            }
            #expect(reports.count { $0.kind == .invalidDesktopFile } <= 1)
            let found = bench.policy.reported.contains { $0.kind == .invalidDesktopFile }
            #expect(found == isReported, "\(words) \(shape)")
        }
    }

    @Test func `the agent says that it follows only while it does, and otherwise for what it waits`() {
        func status(_ bench: PolicyBench) -> String? {
            bench.reports.last { $0.isStatus }?.text.replacingOccurrences(of: " (internal connector)", with: "")
        }
        var bench = PolicyBench.started()
        #expect(status(bench) == "eDP-1: waits for the orientation of the device")
        bench.turn(.landscapeLeft, tabletMode: true)
        #expect(status(bench) == "eDP-1: follows the device; it needs no rotation")
        bench.turn(.portrait, tabletMode: true)
        #expect(status(bench) == nil)
        bench.accept()
        bench.turn(.portrait, tabletMode: false)
        #expect(status(bench) == "eDP-1: waits for tablet mode")
        bench.turn(.portrait, tabletMode: true)
        #expect(status(bench) == "eDP-1: follows the device; it needs 90° counter-clockwise")
        bench.turn(.portrait, lock: .landscapeLeft, tabletMode: true)
        #expect(status(bench) == "eDP-1: waits for the end of the rotation lock, which is on (top edge up)")
        #expect(bench.obstacle?.waitsFor == "the end of the rotation lock, which is on (top edge up)")
        bench = .started()
        bench.turnAndAccept(.portrait)
        #expect(bench.obstacle?.waitsFor == nil)
        bench.setByHand(.rotated270)
        #expect(
            bench.obstacle?.waitsFor
                == "the next turn of the device: 270° counter-clockwise was set by another program")
        bench.turn(.landscapeLeft)
        #expect(bench.obstacle?.waitsFor == nil)
        var settings = Settings()
        settings.isDryRun = true
        var dry = PolicyBench.started(settings)
        dry.turn(.landscapeLeft)
        #expect(status(dry) == "eDP-1: would follow the device (--dry-run); it needs no rotation")
        settings.isDryRun = false
        settings.when = .never
        #expect(status(.started(settings)) == "eDP-1: waits for rotations of other programs: --when never")
    }

    @Test func `what keeps the display from following the device has a kind: the most lasting of several`() {
        var mirrored = PolicyBench.panel
        mirrored.transform = .flipped
        #expect(PolicyBench.started(outputs: [mirrored]).obstacle?.kind == .output)
        #expect(PolicyBench.started(Settings(when: .never)).obstacle?.kind == .never)
        var bench = PolicyBench.started()
        #expect(bench.obstacle?.kind == .noState)
        bench.turnAndAccept(.portrait, tabletMode: true)
        #expect(bench.obstacle == nil)
        bench.setByHand(.rotated270)
        #expect(bench.obstacle?.kind == .otherProgram)
        bench.turn(.portrait, isLocked: true, tabletMode: true)
        #expect(bench.obstacle?.kind == .lock)
        bench.turn(.portrait, isLocked: true, tabletMode: false)
        #expect(bench.obstacle?.kind == .laptop)
        bench = .started()
        bench.turn(.portrait)
        bench.handle(.display(.failed("refused")))
        bench.handle(.daemonLost(reason: "gone"))
        #expect(bench.obstacle?.kind == .failure && bench.obstacle?.reason == bench.policy.request.failure)
    }
}
