// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import SeededRandomness
import Testing

/// Random sequences of states, overrides, locks and changes of the hierarchy. Fixed seeds make failures reproducible.
@MainActor @Suite(.onBothShapes) struct EdgePropertyTests {
    @Test(arguments: RuleSet.allCases)
    func `R18: after any sequence the interface follows a reading that nothing prevents`(ruleSet: RuleSet) throws {
        for seed in (1...120 as ClosedRange<UInt64>).sampled {
            let sequence = try RandomSequence(seed: seed, ruleSet: ruleSet)
            for _ in 0..<16 {
                try sequence.act()
                let broken = sequence.fault()
                #expect(broken == nil, "seed \(seed): \(broken ?? "")")
                if broken != nil { return }
            }
        }
    }
}

@MainActor private final class RandomSequence {
    private let stage: Stage
    private let root: ViewController
    private let navigation: NavigationController
    private let other: Window
    private var dice: SeededGenerator
    private var lockedTo: Edge?
    private var isReading = false
    private var steps: [String] = []

    init(seed: UInt64, ruleSet: RuleSet) throws {
        dice = SeededGenerator(seed: seed)
        stage = Stage(ruleSet, isAnimated: seed % 2 == 0)
        navigation = NavigationController(rootViewController: stage.page("First"))
        navigation.defersOrientationToContent = true
        root = TabBarController(viewControllers: [navigation])
        try stage.show(root)
        other = Window(application: stage.application)
        try other.trySetRootViewController(stage.page("Other"))
        if seed % 3 == 0 { other.isHidden = false }
    }

    private func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &dice) == 0 }

    private func update(_ orientation: DeviceOrientation, _ lastEdge: Edge) {
        steps.append("\(orientation), last edge \(lastEdge)")
        stage.device.update(state(orientation, lastEdge: lastEdge, lockedTo: lockedTo))
    }

    /// Performs a random step.
    func act() throws {
        let edge = Edge.allCases.randomElement(using: &dice) ?? .portrait
        let step = Int.random(in: 0..<16, using: &dice)
        isReading = step < 3
        switch step {
        case 0...2: update(DeviceOrientation(edge), edge)
        case 3, 4: update(.unknown, edge)
        case 5: update(chance(2) ? .faceUp : .faceDown, edge)
        case 6:
            steps.append("no reading")
            stage.device.update(.unknown)
        case 7: changeLock()
        case 8:
            let value = chance(2) ? .unknown : DeviceOrientation(edge)
            steps.append("override \(value)")
            stage.device.overrideOrientation(value)
        case 9:
            steps.append("clear the override")
            stage.device.clearOverride()
        case 10: suspend(edge)
        default: try changeHierarchy(step)
        }
        if !chance(3) { stage.clock.run() }
    }

    private func changeLock() {
        if lockedTo == nil { stage.device.lock() } else { stage.device.unlock() }
        lockedTo = lockedTo == nil ? stage.device.edge : nil
        if lockedTo == nil { stage.device.unlock() }
        steps.append("lock \(lockedTo.map { "\($0)" } ?? "off")")
    }

    private func suspend(_ edge: Edge) {
        steps.append("suspend")
        stage.application.suspend()
        if chance(2) { update(.unknown, edge) }
        steps.append("resume")
        stage.application.resume()
    }

    private func changeHierarchy(_ step: Int) throws {
        switch step {
        case 11:
            steps.append(root.presentedViewController == nil ? "present" : "dismiss")
            if root.presentedViewController == nil {
                try root.tryPresent(stage.page("Film", chance(2) ? .landscape : nil))
            } else {
                root.dismiss()
            }
        case 12:
            steps.append("push or pop")
            if navigation.viewControllers.count > 1 {
                navigation.popViewController()
            } else {
                try navigation.tryPushViewController(stage.page("Second"))
            }
        case 13:
            steps.append("update")
            stage.application.attemptRotationToDeviceOrientation()
        case 14:
            steps.append("other window")
            if other.isHidden { try other.tryMakeKeyAndVisible() } else { other.isHidden = true }
        default:
            steps.append("shrink and grow")
            stage.window.frame = Rect(x: 0, y: 0, width: 100, height: 100)
            if chance(2) { update(.unknown, .portrait) }
            stage.window.frame = stage.application.screen.fixedBounds
        }
    }

    /// Returns the steps to a reading that is not followed; nil if it is, or if the last step was no reading.
    func fault() -> String? {
        guard isReading, lockedTo == nil, root.presentedViewController == nil,
            let edge = Edge(stage.device.orientation)
        else { return nil }
        stage.clock.run()
        let windows = [stage.window] + (other.isHidden ? [] : [other])
        let isFollowed = windows.allSatisfy { $0.interfaceOrientation == InterfaceOrientation(edge) }
        guard !isFollowed || !stage.errors.isEmpty else { return nil }
        return steps.joined(separator: "; ") + ": \(windows.map(\.interfaceOrientation)), \(stage.errors)"
    }
}
