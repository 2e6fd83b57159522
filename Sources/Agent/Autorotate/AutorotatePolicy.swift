// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import InterfaceRotation
internal import OrientationModel

/// Decides when and how the display rotates: a value without I/O, events in and effects out.
///
/// The *target* is the transform that the last decision asked for: that of the device, as far as apps allow it. A transform
/// that the user or another program sets stays until the target changes. After a change of the outputs, such as a new monitor
/// or a resume, the target is applied again.
package struct AutorotatePolicy: Sendable {
    /// The attempts for one target, after which the policy gives up until the device is turned or the outputs change.
    static let maximumAttempts = 5
    /// The seconds before the second attempt; each further delay is twice the previous one.
    static let retryDelay = 0.5
    /// The same after a configuration that was outdated: the newest outputs arrive at once.
    static let outdatedDelay = 0.05
    /// The seconds that the policy waits for the result of a configuration: longer than a backend with a timeout waits for
    /// its server. The X11 backend has none; a later result counts.
    static let resultTimeout = 12.0
    /// The seconds after which a daemon without a first state is reported: a sensor that starts takes less.
    static let firstStateTimeout = 2.0
    /// The seconds in which windows follow a rotation.
    static let windowsTimeout = 1.0
    /// The seconds that the end waits for the display server.
    static let exitTimeout = 2.0

    let settings: Settings

    // The display.
    private(set) var selection: OutputSelection
    private(set) var rotatedBy: String?
    /// The transform of the configuration that has no result yet.
    private(set) var pending: OutputTransform?
    /// Transforms that were requested without a result: the server may still apply them.
    private var unanswered: Set<OutputTransform> = []
    /// In a dry run: the transform that would be in effect.
    private(set) var assumed: OutputTransform?
    /// The transforms before the first rotation of this process, and before the first one in tablet mode.
    var initial: SavedTransform?
    private var beforeTabletMode: SavedTransform?
    var layout = RotatedLayout()
    /// Whether the pending configuration only moves other outputs.
    private var isOnlyMoving = false

    // The device.
    private(set) var state: OrientationState?
    /// The newest state that is not delayed; nil before the first.
    private(set) var settled: OrientationState?
    /// The last edge that was up.
    private(set) var lastEdge: Edge?
    /// The transform of the edge, or of the lock, that the device asked for last.
    private var requested: OutputTransform?
    var target: OutputTransform?
    /// The newest state that asked for the target, the one of the pending configuration, and the one of the last rotation.
    private var targetState: OrientationState?
    private var pendingState: OrientationState?
    private var rotationState: OrientationState?
    /// The request that begins after the delay.
    var delayed: OutputTransform?
    private(set) var isActive = true
    /// Whether another program's transform stays until the next target.
    private(set) var isOverridden = false
    /// The transform that another program set since the device was turned last.
    private(set) var setByHand: OutputTransform?
    private var attempts = 0
    /// The failure of the last attempt, which is repeated or was the last.
    private(set) var lastFailure: (transform: OutputTransform, report: Report)?
    /// The last failure of each transform that the policy gave up.
    private(set) var failures: [OutputTransform: Report] = [:]

    // Apps.
    var apps: AppRules
    /// The last decision; nil before the first.
    var decision: SessionDecision?

    private(set) var isFollowing = false
    var isDaemonLost = false
    var isDaemonMissing = false
    var isEnding = false
    var isRestoring = false
    /// Reports that are made once until their cause changes.
    var reported: Set<Report> = []

    /// Creates the policy of a session. `initial` is the transform before the first rotation of an agent that crashed.
    package init(_ settings: Settings, initial: SavedTransform? = nil) {
        self.settings = settings
        self.initial = initial
        selection = OutputSelection(option: settings.output)
        apps = AppRules(settings.appsWhen)
    }

    /// Handles an event and returns the effects.
    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .display(let event): handle(event)
        case .state(let state): handle(state)
        case .daemonLost(let reason): handleLoss(reason)
        case .daemonRefused(let reason): once(.daemonRefused(reason)) + daemonIsMissing()
        case .timer(.delay): beginDelayed()
        case .timer(.result): resultTimedOut()
        case .timer(.retry): rotate()
        case .timer(.exit): isEnding ? [.exit] : []
        case .timer(.firstState): firstStateTimedOut()
        case .timer(.windows): windowsSettled()
        case .app(let declaration, let window): decide(apps.setDeclaration(declaration, of: window))
        case .invalidDesktopFile(let message): [.report(.invalidDesktopFile(message))]
        case .holds(let holds): decide(apps.setHolds(holds))
        case .end: end()
        }
    }
}

// MARK: The display

extension AutorotatePolicy {
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
        case .frontWindow(let window):
            if let window { apps.awaitDeclaration(of: window) }
            return window.map { [.findApp($0)] } ?? decide(apps.setFront(.window(nil)))
        case .frontWindowUnsupported(let reason):
            return once(.appsUnknown(reason)) + decide(apps.setFront(.unsupported(reason)))
        case .ended(let reason): return [.report(.displayEnded(reason)), .removeRestoreRecord, .exit]
        case .lost(let reason): return [.report(.displayLost(reason)), isEnding ? .exit : .fail]
        }
    }

    var output: Output? { selection.output }
    var outputs: [Output] { selection.outputs }

    private mutating func update(_ new: [Output]) -> [Effect] {
        let change = selection.update(new)
        if pending == nil { layout.update(new, rotating: output?.name) }
        var effects: [Effect] = []
        var isDecisionNeeded = false
        switch change {
        case .rearranged:
            isOverridden = false
            setByHand = nil
            attempts = 0
            lastFailure = nil
            failures = [:]
            apps.output = output?.name
            effects = reportStatus()
            isDecisionNeeded = apps.isRestricting
        case .transform(let old, let new) where pending == nil:
            effects = transformChanged(from: old, to: new)
            isDecisionNeeded = old.transform.isFlipped && !isOverridden && (apps.isRestricting || isHeldUpright)
        case .transform, .nothing: break
        }
        effects += follow()
        if case .nothing = change { return effects + rotate() }
        return effects + alignInput() + decide(isDecisionNeeded ? .outputsChanged : nil) + rotate()
    }

    /// Whether the display follows the edge of the device: it does not lie flat, and is not locked.
    private var isHeldUpright: Bool { settled.map { !$0.isLocked && Edge($0.orientation) != nil } ?? false }

    /// Handles a transform that no pending configuration explains.
    private mutating func transformChanged(from old: Output, to new: Output) -> [Effect] {
        let status = new.transform.isFlipped || old.transform.isFlipped ? reportStatus() : []
        // The result of an earlier configuration, after its timeout.
        if new.transform.isFlipped || new.transform == target || unanswered.remove(new.transform) != nil {
            failures[new.transform] = nil
            if lastFailure?.transform == new.transform { lastFailure = nil }
            return status
        }
        isOverridden = true
        // The saved rotation is discarded: the user chose another rotation in laptop mode.
        if !isActive { leftTabletMode() }
        setByHand = new.transform
        return status + [.report(.rotatedByHand(new.name, new.transform))]
    }

    private mutating func applied() -> [Effect] {
        // The result of a configuration after its timeout.
        guard let requested = pending else { return windowsSettled() }
        pending = nil
        unanswered = []
        if isEnding { return restore() }
        guard let output, output.transform == requested else {
            return retry(output.map { "\($0.name) has the transform \($0.transform) instead of \(requested)" })
        }
        attempts = 0
        lastFailure = nil
        layout.applied(outputs)
        if !isActive, requested == target { leftTabletMode() }
        let rotation = isOnlyMoving ? [] : rotated(output, to: requested)
        let windows: [Effect] = apps.window == nil ? [] : [.startTimer(.windows, after: Self.windowsTimeout)]
        return [.stopTimer(.result)] + rotation + windows + alignInput() + rotate()
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
        return [report, .runCommand(state, previous: previous, output: output.name, transform: transform)]
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
            let report = Report.failed(output.name, requested, text)
            lastFailure = (requested, report)
            effects += once(report)
            if isLast {
                failures[requested] = report
                effects.append(.report(.gaveUp(output.name, requested)))
            }
        }
        if isLast { return effects + windowsSettled() }
        let first = reason == nil ? Self.outdatedDelay : Self.retryDelay
        return effects + [.startTimer(.retry, after: first * Double(1 << (attempts - 1)))]
    }
}

// MARK: The device

extension AutorotatePolicy {
    private mutating func handle(_ state: OrientationState) -> [Effect] {
        guard !isEnding else { return [] }
        var effects: [Effect] = []
        if isDaemonLost {
            isDaemonLost = false
            reported = reported.filter { !$0.isDaemonLoss }
            effects.append(.report(.daemonFound))
        }
        if self.state == nil { effects.append(.stopTimer(.firstState)) }
        let former = self.state
        self.state = state
        let wasActive = isActive
        isActive = settings.when.isActive(state)
        if wasActive, !isActive { return effects + leaveTabletMode() }
        if !wasActive, isActive { enterTabletMode() }
        let wanted = settings.transform(for: state)
        guard isActive, let wanted, wanted != requested else {
            if isActive, wanted != nil { targetState = state }
            // The new orientation did not last.
            delayed = nil
            return effects + [.stopTimer(.delay)] + settle(state, after: former)
        }
        if settings.delay == 0 || requested == nil || state.isLocked { return effects + begin(wanted, after: former) }
        guard delayed != wanted else { return effects }
        delayed = wanted
        return effects + [.startTimer(.delay, after: settings.delay)]
    }

    /// Records a state that asks for no other transform.
    private mutating func settle(_ state: OrientationState, after former: OrientationState?) -> [Effect] {
        guard isActive else { return [] }
        let isFirst = settled == nil
        record(state)
        if isFirst, apps.isRestricting { return decide(.deviceKnown) }
        if isFirst { explain(.deviceKnown) }
        if former?.orientation != state.orientation || former?.lock != state.lock {
            explain(.device(from: former, to: state))
        }
        return []
    }

    private mutating func record(_ state: OrientationState) {
        if let settled, settled.natural != state.natural {
            apps.forgetOrientations()
            lastEdge = nil
        }
        settled = state
        lastEdge = Edge(state.orientation) ?? lastEdge
    }

    /// Begins the transform that the device asks for, as far as apps allow it.
    private mutating func begin(_ wanted: OutputTransform, after former: OrientationState?) -> [Effect] {
        guard let state else { return [] }
        requested = wanted
        setByHand = nil
        failures = [:]
        record(state)
        return decide(.device(from: former, to: state), wanted: wanted)
    }

    /// A rotation that the user set in laptop mode ends with the next edge.
    private mutating func enterTabletMode() {
        (target, requested, setByHand) = (nil, nil, nil)
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
        (target, requested) = (nil, nil)
    }

    private mutating func beginDelayed() -> [Effect] {
        guard let wanted = delayed else { return [] }
        delayed = nil
        return begin(wanted, after: settled)
    }

    mutating func begin(_ transform: OutputTransform) -> [Effect] {
        target = transform
        targetState = state
        isOverridden = false
        attempts = 0
        lastFailure = nil
        failures[transform] = nil
        reported = reported.filter { !$0.isFailure }
        return [.stopTimer(.retry)] + rotate()
    }

    /// Rotates the output to the target, unless it has it or must keep what it has.
    private mutating func rotate() -> [Effect] {
        guard pending == nil, !isEnding, !isOverridden, isPermitted, let target, failures[target] == nil,
            let output, output.isEnabled, !output.transform.isFlipped
        else { return [] }
        let current = assumed ?? output.transform
        isOnlyMoving = current == target
        if isOnlyMoving, settings.isDryRun || !layout.isMisplaced(output.name, with: target) { return [] }
        let saved = SavedTransform(output: output.name, transform: current)
        let record = settings.isDryRun ? [] : saveInitial(saved)
        if isActive, beforeTabletMode?.output != output.name { beforeTabletMode = saved }
        pendingState = targetState
        if settings.isDryRun {
            assumed = target
            return rotated(output, to: target)
        }
        return record + [.startTimer(.result, after: Self.resultTimeout), apply(target, to: output)]
    }

    mutating func apply(_ transform: OutputTransform, to output: Output) -> Effect {
        pending = transform
        apps.rotationBegan()
        layout.update(outputs, rotating: output.name)
        return .apply(layout.rotating(output.name, to: transform))
    }

    var isPermitted: Bool { rotatedBy == nil || settings.isForced }

    /// Connects to the daemon only while there is a display to rotate.
    private mutating func follow() -> [Effect] {
        let isWanted = isPermitted && settings.when != .never && output.map { $0.isEnabled } ?? false
        guard isWanted != isFollowing else { return [] }
        isFollowing = isWanted
        if !isWanted {
            // The device may be turned before the next state arrives.
            (state, target, delayed) = (nil, nil, nil)
            (settled, requested, isDaemonMissing) = (nil, nil, false)
        }
        return [.follow(isWanted)] + (isWanted ? [.startTimer(.firstState, after: Self.firstStateTimeout)] : [])
    }
}
