// SPDX-License-Identifier: Apache-2.0

import Foundation
package import InterfaceRotation
import OrientationClient
import OrientationModel

/// An app in the terminal: driven by commands as arguments, or live by the daemon.
///
///     Gallery "turn landscapeLeft" push explain     each command, and the screen after it
///     Gallery --wide "turn portrait"                the same on a wide screen
///     Gallery --live                                the daemon turns it; commands are read from standard input
@MainActor package final class Example {
    package let application: Application
    package let window: Window
    private let terminal: Terminal
    private let clock: any FrameClock
    private var commands: [(name: String, help: String, run: @MainActor (String) throws -> Void)] = []
    private var note = ""

    private static let arguments = Array(CommandLine.arguments.dropFirst())
    private static var knownFlags: Set<String> = []
    private static var isLive: Bool { flag("--live") }

    /// Whether the example was started with this flag.
    package static func flag(_ name: String) -> Bool {
        knownFlags.insert(name)
        return arguments.contains(name)
    }

    /// The size of the panel: 15 × 20 units, or 20 × 15 with `--wide`.
    package static var panel: Size {
        flag("--wide") ? Size(width: 20, height: 15) : Size(width: 15, height: 20)
    }

    /// A device with the app on it, its window not yet shown.
    package init(ruleSet: RuleSet = .modern, safeArea: SafeArea = SafeArea()) {
        clock = Self.isLive ? DisplayClock() : ManualFrameClock()
        application = Application(
            ruleSet: ruleSet, screen: Screen(size: Self.panel, safeArea: safeArea), frameClock: clock)
        window = Window(application: application)
        terminal = Terminal(application)
        show(window)
        application.orientationFailureHandler = { [unowned self] in note = "\($0)" }
        addCommonCommands()
    }

    /// Draws this window too.
    package func show(_ window: Window) { window.surface = terminal }

    /// Adds a command; the text after its name is its argument.
    package func command(_ name: String, _ help: String, _ run: @escaping @MainActor (String) throws -> Void) {
        commands.append((name, help, run))
    }

    private func addCommonCommands() {
        command("turn", "ORIENTATION  turn the device") { [unowned self] name in
            guard let orientation = DeviceOrientation(name) else {
                throw UnknownCommand(text: "turn \(name)", known: DeviceOrientation.allCases.map { "turn \($0)" })
            }
            application.device.update(orientation)
        }
        command("lock", "turn the user's lock on") { [unowned self] _ in application.device.lock() }
        command("unlock", "turn it off") { [unowned self] _ in application.device.unlock() }
        command("explain", "explain the orientation of the key window") { [unowned self] _ in
            note = application.keyWindow?.explain()?.description ?? "no decision yet"
        }
    }

    // MARK: Running

    /// Shows the app and runs the commands; the exit status is 0, or 1 after an unknown command.
    package func run(showing root: ViewController) async -> Int32 {
        if let unknown = Self.arguments.first(where: { $0.hasPrefix("--") && !Self.knownFlags.contains($0) }) {
            print("\(UnknownCommand(text: unknown, known: Self.knownFlags.sorted()))")
            return 1
        }
        do {
            try window.trySetRootViewController(root)
            try window.tryMakeKeyAndVisible()
        } catch {
            print("error: \(error)")
            return 1
        }
        return Self.isLive ? await runLive() : runScript()
    }

    private func runScript() -> Int32 {
        application.device.update(DeviceOrientation(application.screen.shape.natural))
        settle()
        report("start")
        for text in Self.arguments where !text.hasPrefix("--") {
            guard run(command: text) else {
                print(note)
                return 1
            }
            settle()
            report(text)
        }
        return 0
    }

    private func settle() { (clock as? ManualFrameClock)?.run() }

    /// Runs a command; false for an unknown one. An error of the app is shown as a note.
    private func run(command text: String) -> Bool {
        note = ""
        let words = text.split(separator: " ", maxSplits: 1)
        do {
            guard let command = commands.first(where: { $0.name == words.first.map(String.init) }) else {
                throw UnknownCommand(text: text, known: commands.map { "\($0.name) \($0.help)" })
            }
            try command.run(words.count > 1 ? String(words[1]) : "")
        } catch let error as UnknownCommand {
            note = "\(error)"
            return false
        } catch {
            note = "refused: \(error)"
        }
        return true
    }

    private func report(_ title: String, after prefix: String = "") {
        let state = "device \(application.device.orientation), interface \(application.statusBarOrientation)"
        let lines = ["\(prefix)> \(title)"] + terminal.render() + [state] + (note.isEmpty ? [] : [note])
        // Not print(): it buffers output to a pipe, and flushing it would wait for the thread that reads standard
        // input.
        FileHandle.standardOutput.write(Data((lines.joined(separator: "\n") + "\n").utf8))
    }

    // MARK: Live

    private func runLive() async -> Int32 {
        application.device.follow(OrientationMonitor())
        application.device.orientationDidChange.addObserver(self) { example, _ in example.redraw() }
        terminal.onFrame = { [unowned self] in redraw() }
        redraw()
        for await line in StandardInput.lines() {
            _ = run(command: line)
            redraw()
        }
        return 0
    }

    private func redraw() {
        let names = commands.map(\.name).joined(separator: ", ")
        report("type a command: \(names); end with Ctrl-D", after: "\u{1B}[H\u{1B}[2J")
    }
}

/// An unknown command.
private struct UnknownCommand: Error, CustomStringConvertible {
    let text: String
    let known: [String]
    var description: String { "'\(text)': invalid argument; valid arguments:\n  " + known.joined(separator: "\n  ") }
}
