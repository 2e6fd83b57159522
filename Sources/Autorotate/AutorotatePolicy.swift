// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import OrientationModel

/// Decides when and how the display rotates: a value without I/O, events in and effects out.
///
/// The *target* is the transform that the device asked for last. A transform that the user or another program sets stays
/// until the target changes. After a change of the outputs, such as a new monitor or a resume, the target is applied again.
package nonisolated struct AutorotatePolicy: Sendable {
    /// The attempts for one target, after which the policy waits for the next change.
    static let maximumAttempts = 5
    /// The seconds before the second attempt; each further delay is twice the previous one.
    static let retryDelay = 0.5
    /// The same after a configuration that was outdated: the newest outputs arrive at once.
    static let outdatedDelay = 0.05
    /// The seconds that the policy waits for the result of a configuration: longer than any backend waits for its server.
    static let resultTimeout = 12.0
    /// The seconds after which a daemon without a first state is reported: a sensor that starts takes less.
    static let firstStateTimeout = 2.0
    /// The seconds that the end waits for the display server.
    static let exitTimeout = 2.0

    private let settings: Settings

    // The display.
    private var selection: OutputSelection
    private var rotatedBy: String?
    /// The transform of the configuration that has no result yet.
    private var pending: OutputTransform?
    /// Transforms that were requested without a result: the server may still apply them.
    private var unanswered: Set<OutputTransform> = []
    /// In a dry run: the transform that would be in effect.
    private var assumed: OutputTransform?
    /// The transforms before the first rotation of this process, and before the first one in tablet mode.
    private var initial: SavedTransform?
    private var beforeTabletMode: SavedTransform?
    /// The outputs before the first rotation, and those that the last rotation led to. While the layout is that of the last
    /// rotation, further rotations start from the former one: turning back gives the former layout.
    private var rotatedLayout: (former: [Output], latest: [Output])?

    private struct SavedTransform {
        let output: String
        let transform: OutputTransform
    }

    // The device.
    private var state: OrientationState?
    private var target: OutputTransform?
    /// The newest state that asked for the target, the one of the pending configuration, and the one of the last rotation.
    private var targetState: OrientationState?
    private var pendingState: OrientationState?
    private var rotationState: OrientationState?
    /// The target that begins after the delay.
    private var delayed: OutputTransform?
    private var isActive = true
    /// Whether another program's transform stays until the next target.
    private var isOverridden = false
    private var attempts = 0

    private var isFollowing = false
    private var isDaemonLost = false
    private var isEnding = false
    private var isRestoring = false
    /// Reports that are made once until their cause changes.
    private var reported: Set<Report> = []

    /// Creates the policy of a session.
    package init(_ settings: Settings) {
        self.settings = settings
        selection = OutputSelection(option: settings.output)
    }

    /// Handles an event and returns the effects.
    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .display(let event): handle(event)
        case .state(let state): handle(state)
        case .daemonLost(let reason): handleLoss(reason)
        case .daemonRefused(let reason): once(.daemonRefused(reason))
        case .timer(.delay): beginDelayed()
        case .timer(.result): resultTimedOut()
        case .timer(.retry): rotate()
        case .timer(.exit): isEnding ? [.exit] : []
        case .timer(.firstState): firstStateTimedOut()
        case .end: end()
        }
    }
}

// MARK: The display

nonisolated extension AutorotatePolicy {
    private mutating func handle(_ event: DisplayEvent) -> [Effect] {
        switch event {
        case .outputs(let outputs): return update(outputs)
        case .applied: return applied()
        case .failed(let reason): return retry(reason)
        case .outdated: return retry(nil)
        case .rotatedBy(let program):
            rotatedBy = program
            return reportStatus() + follow() + rotate()
        case .inputChanged: return alignInput()
        case .inputAdvice(let text): return once(.inputAdvice(text))
        case .frontWindow, .frontWindowUnsupported: return []
        case .ended(let reason): return [.report(.displayEnded(reason)), .exit]
        case .lost(let reason): return [.report(.displayLost(reason)), isEnding ? .exit : .fail]
        }
    }

    private var output: Output? { selection.output }
    private var outputs: [Output] { selection.outputs }

    private mutating func update(_ new: [Output]) -> [Effect] {
        let change = selection.update(new)
        var effects: [Effect] = []
        switch change {
        case .rearranged:
            isOverridden = false
            attempts = 0
            effects = reportStatus()
        case .transform(let old, let new) where pending == nil: effects = transformChanged(from: old, to: new)
        case .transform, .nothing: break
        }
        effects += follow()
        if case .nothing = change { return effects + rotate() }
        return effects + alignInput() + rotate()
    }

    /// Handles a transform that no pending configuration explains.
    private mutating func transformChanged(from old: Output, to new: Output) -> [Effect] {
        let status = new.transform.isFlipped || old.transform.isFlipped ? reportStatus() : []
        // The result of an earlier configuration, after its timeout.
        if new.transform.isFlipped || new.transform == target || unanswered.remove(new.transform) != nil {
            return status
        }
        isOverridden = true
        // The former rotation is restored no more: the user has another wish in laptop mode.
        if !isActive { leftTabletMode() }
        return status + [.report(.rotatedByHand(new.name, new.transform))]
    }

    private mutating func applied() -> [Effect] {
        guard let requested = pending else { return [] }
        pending = nil
        unanswered = []
        if isEnding { return restore() }
        guard let output, output.transform == requested else {
            return retry(output.map { "\($0.name) has the transform \($0.transform) instead of \(requested)" })
        }
        attempts = 0
        let latest = outputs
        rotatedLayout?.latest = latest
        if !isActive, requested == target { leftTabletMode() }
        return [.stopTimer(.result)] + rotated(output, to: requested) + alignInput() + rotate()
    }

    /// Maps input to the output, unless another program rotates it.
    private func alignInput() -> [Effect] {
        guard isPermitted, !settings.isDryRun, let output, output.isEnabled else { return [] }
        return [.alignInput(output)]
    }

    /// Returns the effects after a rotation.
    private mutating func rotated(_ output: Output, to transform: OutputTransform) -> [Effect] {
        let (state, previous) = (pendingState, rotationState)
        rotationState = state
        let report = Effect.report(.rotated(output.name, transform, isDryRun: settings.isDryRun))
        guard let state, !settings.isDryRun else { return [report] }
        return [report, .runCommand(state, previous: previous, output: output.name)]
    }

    private mutating func resultTimedOut() -> [Effect] {
        guard let pending, !isEnding else { return [] }
        unanswered.insert(pending)
        return retry("the display server did not reply")
    }

    /// Schedules another attempt; without a reason the outputs have changed meanwhile.
    private mutating func retry(_ reason: String?) -> [Effect] {
        guard let requested = pending ?? target else { return [] }
        pending = nil
        if isEnding { return restore() }
        attempts += 1
        let isLast = attempts >= Self.maximumAttempts
        var effects: [Effect] = [.stopTimer(.result)]
        if let output, let text = reason ?? (isLast ? "its outputs keep changing" : nil) {
            effects += once(.failed(output.name, requested, text))
        }
        if isLast { return effects }
        let first = reason == nil ? Self.outdatedDelay : Self.retryDelay
        return effects + [.startTimer(.retry, after: first * Double(1 << (attempts - 1)))]
    }
}

// MARK: The device

nonisolated extension AutorotatePolicy {
    private mutating func handle(_ state: OrientationState) -> [Effect] {
        guard !isEnding else { return [] }
        var effects: [Effect] = []
        if isDaemonLost {
            isDaemonLost = false
            reported = reported.filter { !$0.isDaemonLoss }
            effects.append(.report(.daemonFound))
        }
        if self.state == nil { effects.append(.stopTimer(.firstState)) }
        self.state = state
        let wasActive = isActive
        isActive = settings.when.isActive(state)
        if wasActive, !isActive { return effects + leaveTabletMode() }
        if !wasActive, isActive { enterTabletMode() }
        let wanted = settings.transform(for: state)
        guard isActive, let wanted, wanted != target else {
            if isActive, wanted != nil { targetState = state }
            // The new orientation did not last.
            delayed = nil
            return effects + [.stopTimer(.delay)]
        }
        if settings.delay == 0 || target == nil || state.isLocked { return effects + begin(wanted) }
        guard delayed != wanted else { return effects }
        delayed = wanted
        return effects + [.startTimer(.delay, after: settings.delay)]
    }

    /// A rotation that the user set in laptop mode ends with the next edge.
    private mutating func enterTabletMode() {
        target = nil
        isOverridden = false
    }

    /// Restores the former rotation, once: one that the user sets in laptop mode stays.
    private mutating func leaveTabletMode() -> [Effect] {
        delayed = nil
        guard let former = beforeTabletMode, former.output == output?.name else {
            leftTabletMode()
            return [.stopTimer(.delay)]
        }
        let effects = begin(former.transform)
        if pending == nil { leftTabletMode() }
        return [.stopTimer(.delay)] + effects
    }

    private mutating func leftTabletMode() {
        beforeTabletMode = nil
        target = nil
    }

    private mutating func beginDelayed() -> [Effect] {
        guard let wanted = delayed else { return [] }
        delayed = nil
        return begin(wanted)
    }

    private mutating func begin(_ transform: OutputTransform) -> [Effect] {
        target = transform
        targetState = state
        isOverridden = false
        attempts = 0
        reported = reported.filter { !$0.isFailure }
        return [.stopTimer(.retry)] + rotate()
    }

    private mutating func handleLoss(_ reason: String) -> [Effect] {
        isDaemonLost = true
        delayed = nil
        return [.stopTimer(.delay)] + once(.daemonLost(reason))
    }

    /// Rotates the output to the target, unless it has it or must keep what it has.
    private mutating func rotate() -> [Effect] {
        guard pending == nil, !isEnding, !isOverridden, isPermitted, attempts < Self.maximumAttempts,
            let target, let output, output.isEnabled, !output.transform.isFlipped
        else { return [] }
        let current = assumed ?? output.transform
        guard current != target else { return [] }
        let saved = SavedTransform(output: output.name, transform: current)
        if initial?.output != output.name { initial = saved }
        if isActive, beforeTabletMode?.output != output.name { beforeTabletMode = saved }
        pendingState = targetState
        if settings.isDryRun {
            assumed = target
            return rotated(output, to: target)
        }
        return [.startTimer(.result, after: Self.resultTimeout), apply(target, to: output)]
    }

    private mutating func apply(_ transform: OutputTransform, to output: Output) -> Effect {
        pending = transform
        if rotatedLayout?.latest != outputs { rotatedLayout = (outputs, outputs) }
        return .apply(Layout.rotating(output.name, to: transform, in: rotatedLayout?.former ?? outputs))
    }

    private var isPermitted: Bool { rotatedBy == nil || settings.isForced }

    /// Connects to the daemon only while there is a display to rotate.
    private mutating func follow() -> [Effect] {
        let isWanted = isPermitted && settings.when != .never && output.map { $0.isEnabled } ?? false
        guard isWanted != isFollowing else { return [] }
        isFollowing = isWanted
        if !isWanted {
            // The device may be turned before the next state arrives.
            (state, target, delayed) = (nil, nil, nil)
        }
        return [.follow(isWanted)] + (isWanted ? [.startTimer(.firstState, after: Self.firstStateTimeout)] : [])
    }

    /// Reports a daemon that accepted the connection and sends nothing. Otherwise a report was made already.
    private mutating func firstStateTimedOut() -> [Effect] {
        guard isFollowing, state == nil, !isDaemonLost, !reported.contains(where: \.isDaemonRefusal) else { return [] }
        isDaemonLost = true
        return once(.daemonSilent)
    }
}

// MARK: Reports and the end

nonisolated extension AutorotatePolicy {
    /// Reports which output rotates, or why none does.
    private mutating func reportStatus() -> [Effect] {
        guard selection.isKnown else { return [] }
        let report: Report =
            if let rotatedBy, !settings.isForced {
                .rotatedElsewhere(rotatedBy)
            } else if let chosen = selection.chosen, let output {
                if !output.isEnabled {
                    .disabled(output.name)
                } else if output.transform.isFlipped {
                    .flipped(output.name, output.transform)
                } else {
                    .chosen(chosen)
                }
            } else {
                .noOutput(option: settings.output, outputs: outputs.map(\.name))
            }
        guard !reported.contains(report) else { return [] }
        reported = reported.filter { !$0.isStatus }
        return once(report)
    }

    private mutating func once(_ report: Report) -> [Effect] {
        reported.insert(report).inserted ? [.report(report)] : []
    }

    private mutating func end() -> [Effect] {
        guard !isEnding else { return [.exit] }
        isEnding = true
        // The result of the pending configuration ends the wait.
        return pending == nil ? restore() : [.startTimer(.exit, after: Self.exitTimeout)]
    }

    /// Restores the rotation from before the start, once, and then exits.
    private mutating func restore() -> [Effect] {
        guard settings.restoresOnExit, !settings.isDryRun, !isRestoring, isPermitted, let initial, let output,
            output.name == initial.output, output.isEnabled, !output.transform.isFlipped,
            output.transform != initial.transform
        else { return [.exit] }
        isRestoring = true
        return [.startTimer(.exit, after: Self.exitTimeout), apply(initial.transform, to: output)]
    }
}
