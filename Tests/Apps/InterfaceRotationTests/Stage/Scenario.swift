// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// A row of a table: what happens to an app with the page Root, and what must follow, one step after the other.
///
/// In the text a line with a rule is the name of a row, and the indented lines below it are its steps. Each step is a
/// case of ``ScenarioRun/perform(_:)``. A row begins in portrait, or before the first reading (`launched`), without
/// animations unless it is `animated`, and ends without other errors than those that it expects.
struct Scenario: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var ruleSets: [RuleSet] = [.modern]
    var options: Set<Substring> = []
    var steps: [String] = []

    static func parse(_ text: String) -> [Scenario] {
        text.split(separator: "\n").reduce(into: []) { scenarios, line in
            guard line.hasPrefix(" ") else { return scenarios.append(Scenario(testDescription: String(line))) }
            for step in line.split(separator: ";") {
                scenarios[scenarios.count - 1].add(String(step.drop { $0 == " " }))
            }
        }
    }

    private mutating func add(_ step: String) {
        let words = step.split(separator: " ")
        switch words.first {
        case "rules": ruleSets = RuleSet.allCases.filter { words.contains("\($0)") }
        case "app": options = Set(words.dropFirst())
        default: steps.append(step)
        }
    }
}

/// The app of a scenario.
@MainActor final class ScenarioRun {
    private let name: String
    private let stage: Stage
    private let changes: ChangeLog
    private let badge = View(frame: Rect(x: 0, y: 0, width: 60, height: 20))
    private var pages: [Substring: Page] = [:]
    private var windows: [Substring: Window] = [:]
    private var knownErrors = 0

    init(_ scenario: Scenario, _ ruleSet: RuleSet) throws {
        name = "\(scenario.testDescription), \(ruleSet)"
        let isLaunched = scenario.options.contains("launched")
        let manifest = isLaunched ? OrientationManifest.portraitFirst : .none
        stage = Stage(ruleSet, manifest: manifest, isAnimated: scenario.options.contains("animated"))
        changes = ChangeLog(stage.device)
        let root = stage.page("Root")
        root.logsQuestions = true
        pages["Root"] = root
        isLaunched ? try stage.launch(root) : try stage.show(root)
        stage.clock.run()
        if scenario.options.contains("badge") {
            stage.window.addSubview(badge)
            badge.follow(.device)
        }
        (changes.lines, _) = ([], stage.log.take())
    }

    /// The controller that was presented last, or the root.
    private var top: ViewController? {
        var top = stage.window.rootViewController
        while let next = top?.presentedViewController { top = next }
        return top
    }

    /// Returns the page with a name, with the answers in the words after it: a mask, and what it prefers.
    private func page(_ words: some Collection<Substring>) throws -> Page {
        let name = try #require(words.first)
        let page = pages[name] ?? stage.page(String(name))
        page.logsQuestions = true
        pages[name] = page
        var key: Substring?
        for word in words.dropFirst() {
            switch (key, word) {
            case (nil, "preferring"), (nil, "as"): key = word
            case (nil, "fixed"), (nil, "free"): page.autorotates = word == "free"
            case (nil, "locked"): page.prefersLock = true
            case ("preferring", _): (page.preferred, key) = (try value(word), nil)
            case ("as", _): (page.modalPresentationStyle, key) = (try #require(Self.styles[word]), nil)
            default: page.mask = try mask(word)
            }
        }
        return page
    }

    private static let styles: [Substring: ModalPresentationStyle] = [
        "overFullScreen": .overFullScreen, "currentContext": .currentContext, "pageSheet": .pageSheet,
        "formSheet": .formSheet, "popover": .popover,
    ]

    private func value<Value: NamedCase>(_ word: Substring?) throws -> Value { try #require(Value(String(word ?? ""))) }

    private func mask(_ words: Substring) throws -> InterfaceOrientationMask {
        let groups: [Substring: InterfaceOrientationMask] = [
            "all": .all, "landscape": .landscape, "allButUpsideDown": .allButUpsideDown, "none": [],
        ]
        return try words.split(separator: "+").reduce(into: []) { mask, word in
            try mask.formUnion(groups[word] ?? InterfaceOrientationMask(value(word) as InterfaceOrientation))
        }
    }

    /// Ends the scenario.
    func end() { #expect(stage.errors.count == knownErrors, "\(name): \(stage.errors)") }

    private func check(_ step: String, _ found: some CustomStringConvertible, _ wanted: String) {
        #expect("\(found)" == wanted, "\(name): \(step)")
    }

    func perform(_ step: String) throws {
        let all = step.split(separator: " ")
        let (words, first) = (all.dropFirst(), all.dropFirst().first)
        let rest = words.joined(separator: " ")
        let (device, window) = (stage.device, stage.window)
        switch all.first {
        // What the device, the daemon and the user do.
        case "turn": for word in words { stage.turn(try value(word)) }
        case "reads": device.update(try value(first) as DeviceOrientation)
        case "state":
            let names = Dictionary(uniqueKeysWithValues: zip(words.dropFirst(), words.dropFirst(2)))
            let edges = try ["last", "locked"].map { key in try names[key].map { try value($0) as Edge } }
            device.update(state(try value(first), lastEdge: edges[0], lockedTo: edges[1]))
        case "lock": first == nil ? device.lock() : device.lock(to: try value(first) as Edge)
        case "unlock": device.unlock()
        case "override": device.overrideOrientation(try value(first))
        case "clear": device.clearOverride()
        case "frames": stage.clock.run()
        case "frame": stage.clock.advance(by: 0.1)
        // What the app does.
        case "present": try top?.tryPresent(page(words))
        case "dismiss": top?.presentingViewController?.dismiss()
        case "root": try window.trySetRootViewController(page(words))
        case "answers": _ = try page(words)
        case "update": try page(words).setNeedsUpdateOfSupportedInterfaceOrientations()
        case "holds": try page(words).update(prefersLock: true)
        case "frees": try page(words).update(prefersLock: false)
        case "request": try window.requestGeometryUpdate(interfaceOrientations: mask(first ?? ""))
        case "delegate":
            let mask = try mask(first ?? "")
            stage.delegate = Delegate { _ in mask }
        case "notify": device.beginGeneratingDeviceOrientationNotifications()
        case "suspend": stage.application.suspend()
        case "resume": stage.application.resume()
        case "hide": (first.flatMap { windows[$0] } ?? window).isHidden = true
        case "show": try window.tryMakeKeyAndVisible()
        case "window": try windows[#require(first)] = stage.addWindow(showing: page(words))
        case "refuses":
            let error = #expect(throws: (any Error).self) { try perform(words.dropFirst().joined(separator: " ")) }
            check(step, error.map { "\(type(of: $0))" } ?? "", String(first ?? ""))
        // What must be.
        case "shows": check(step, stage.orientation, rest)
        case "turning": check(step, window.isRotating, "true")
        case "still": check(step, window.isRotating, "false")
        case "device": check(step, device.orientation, rest)
        case "edge": check(step, device.edge.map(\.description) ?? "none", rest)
        case "posts":
            check(step, changes.lines.joined(separator: ", "), rest)
            changes.lines = []
        case "asks": check(step, stage.log.take().filter { $0.hasSuffix(".supported") }.joined(separator: " "), rest)
        case "turns": check(step, stage.log.take().count { $0.contains("willRotate") }, rest)
        case "badge": #expect(badge.effectiveTransform == (try value(first) as InterfaceOrientation).transform)
        case "held": check(step, window.isInterfaceOrientationLocked, "true")
        case "free": check(step, window.isInterfaceOrientationLocked, "false")
        case "source": check(step, window.explain()?.edgeSource ?? "", rest)
        case "waits": check(step, window.explain()?.waitsFor ?? "", rest)
        case "locks": check(step, window.explain()?.locks.joined(separator: ", ") ?? "", rest)
        case "because": check(step, window.explain()?.sentence.contains(rest) == true, "true")
        case "errors":
            check(step, stage.errors.dropFirst(knownErrors).map { "\(type(of: $0))" }.joined(separator: " "), rest)
            knownErrors = stage.errors.count
        default: Issue.record("there is no step '\(step)'")
        }
    }
}
