// SPDX-License-Identifier: Apache-2.0

internal import DesktopEntry
internal import Displays
internal import OrientationModel
internal import OrientationRules

/// Decides when and how the display rotates: a value without I/O, events in and effects out.
///
/// The *target* is the transform that the last decision asked for: the device's, as far as apps allow it. A transform that
/// the user sets stays until the target changes; one that another program resets is replaced (``ResetRule``). After a
/// change of the outputs, such as a new monitor or a resume, the target is applied again.
struct AutorotatePolicy: Sendable {
    /// The attempts for one target, after which the policy gives up until the device is turned or the outputs change.
    static let maximumAttempts = 5
    /// The seconds before the second attempt; each further delay is twice the previous one.
    static let retryDelay = 0.5
    /// The same after a configuration that was outdated: the newest outputs arrive at once.
    static let outdatedDelay = 0.05
    /// The seconds that the policy waits for the result of a configuration: longer than a backend with a timeout waits for
    /// its server. The X11 backend has none; a later result counts.
    static let resultTimeout = 12.0
    /// The seconds in which windows follow a rotation.
    static let windowsTimeout = 1.0
    /// The seconds that the end waits for the display server.
    static let exitTimeout = 2.0

    let settings: Settings

    // The display.
    private(set) var display = DisplayLink()
    private(set) var selection: OutputSelection
    /// The names of the outputs that are turned off.
    private(set) var dark: Set<String> = []
    /// In a dry run: the transform that would be in effect.
    var assumed: OutputTransform?
    /// The transform before the first rotation of this process.
    var initial: SavedTransform?
    var layout = RotatedLayout()
    var request = RotationRequest()
    private var resets = ResetRule()
    /// The state of the last rotation.
    var rotationState: OrientationState?

    // The device.
    /// The chassis, if it may be a laptop's; nil for other devices.
    var chassis: Chassis?
    var daemon = DaemonLink.unused
    var following = Following.nothing
    var device = DeviceInput()
    var pose = TabletPose.tablet(former: nil)
    var suggestion = RotationSuggestion()

    // Apps.
    var apps: AppRules
    /// The last decision; nil before the first.
    var decision: SessionDecision?

    var ending = Ending.running
    /// Reports that are made once until their cause changes.
    var reported: Set<AgentMessage> = []
    /// The time of the last event, in seconds.
    private var now = 0.0

    /// Creates the policy of a session. `initial` is the transform before the first rotation of an agent that crashed.
    init(_ settings: Settings, initial: SavedTransform? = nil) {
        self.settings = settings
        self.initial = initial
        selection = OutputSelection(option: settings.output)
        apps = AppRules(settings.appsWhen)
    }

    /// Handles an event at a time in seconds, and returns the effects.
    mutating func handle(_ event: Event, at time: Double) -> [Effect] {
        now = time
        return handle(event) + updateSuggestion()
    }

    private mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .display(let event): handle(event)
        case .displayLost(let reason): displayLost(reason)
        case .state(let state): handle(state) + reportStatus() + follow()
        case .chassis(let chassis): handle(chassis) + reportStatus()
        case .daemonLost(let reason): daemonLost(reason)
        case .daemonRefused(let reason): daemonRefused(reason)
        case .timer(.result): resultTimedOut()
        case .timer(.retry): retry()
        case .timer(.exit): ending == .running ? [] : [.exit]
        case .timer(.reopen): [.reopenDisplay]
        case .timer(.windows): windowsSettled()
        case .timer(.suggestion): suggest()
        case .app(let declaration, let window):
            decide(apps.setDeclaration(declaration, of: window)) + reportUpsideDown()
        case .invalidDesktopFile(let message): [.report(.invalidDesktopFile(message))]
        case .holds(let holds): decide(apps.setHolds(holds))
        case .suggestionAnswered(let isAccepted): suggestionAnswered(isAccepted: isAccepted)
        case .suggestionFailed(let reason): suggestionFailed(reason)
        case .lockFailed(let reason): [.report(.lockFailed(reason))]
        case .end: end()
        }
    }
}

// MARK: The display

extension AutorotatePolicy {
    private mutating func handle(_ event: DisplayEvent) -> [Effect] {
        switch event {
        case .outputs(let outputs):
            let wasLost = display.loss != nil
            let effects = displayFound() + update(outputs)
            return wasLost && ending != .running ? effects + restore() : effects
        case .darkOutputs(let names):
            dark = names
            return follow()
        case .applied where ending == .running: return applied()
        case .failed(let reason) where ending == .running: return failed(reason)
        case .outdated where ending == .running: return failed(nil)
        // The end waits for the result of the last configuration.
        case .applied, .failed, .outdated: return request.finish() == nil ? [] : restore()
        case .inputChanged: return alignInput()
        case .inputAdvice(let text): return once(.inputAdvice(text))
        case .reloaded:
            let isByHand = request.phase == .overridden
            outputsChanged()
            return (isByHand ? reportReload() : []) + alignInput() + decide(apps.isRestricting ? .outputsChanged : nil)
                + rotate()
        case .frontWindow(let window):
            if let window { apps.awaitDeclaration(of: window) }
            return window.map { [.findApp($0)] } ?? decide(apps.setFront(.window(nil)))
        case .frontWindowUnsupported(let reason):
            return once(.appsUnknown(reason)) + decide(apps.setFront(.unsupported(reason)))
        case .ended(let reason): return [.report(.displayEnded(display.loss ?? reason)), .removeRestoreRecord, .exit]
        }
    }

    /// The connection was lost while the server runs. At the end of a session it closes before the server does: a loss is
    /// reported if it lasts.
    private mutating func displayLost(_ reason: String) -> [Effect] {
        // The result of a request and the outputs that are turned on are not reported without a connection.
        _ = request.finish()
        dark = []
        // The display is restored once the connection is made again, if that is before the timeout; else the record stays.
        if ending == .restoring { ending = .waiting }
        let report = display.loss == nil ? [] : once(.displayLost(reason))
        return report + windowsSettled() + [.startTimer(.reopen, after: display.lost(reason, at: now))]
    }

    /// The server reports its outputs again: what depends on the connection is applied again.
    private mutating func displayFound() -> [Effect] {
        guard let reason = display.found() else { return [] }
        reported = reported.filter { $0.kind != .displayLost }
        return [.report(.displayFound(reason))] + alignInput()
    }

    var output: Output? { selection.output }
    var outputs: [Output] { selection.outputs }

    private mutating func update(_ new: [Output]) -> [Effect] {
        let change = selection.update(new)
        apps.natural = natural
        if request.pending == nil { layout.update(new, rotating: selection.body) }
        var effects: [Effect] = []
        var isDecisionNeeded = false
        switch change {
        case .rearranged:
            outputsChanged()
            apps.output = output?.name
            effects = reportStatus()
            isDecisionNeeded = apps.isRestricting
        case .transform(let old, let new) where request.pending == nil:
            effects = transformChanged(from: old, to: new)
            isDecisionNeeded =
                old.transform.isFlipped && request.phase != .overridden
                && (apps.isRestricting || device.isHeldUpright)
        case .transform, .nothing: break
        }
        effects += follow()
        if case .nothing = change { return effects + rotate() }
        return effects + alignInput() + decide(isDecisionNeeded ? .outputsChanged : nil) + rotate()
    }

    /// Handles a transform that no pending configuration explains.
    private mutating func transformChanged(from old: Output, to new: Output) -> [Effect] {
        let status = new.transform.isFlipped || old.transform.isFlipped ? reportStatus() : []
        let initial = initial.flatMap { $0.output == new.name ? $0.transform : nil }
        let isReset =
            pose.isActive && !settings.isDryRun && resets.isReset(new.transform, initial: initial, at: now)
        switch request.transformChanged(to: new.transform, isReset: isReset) {
        case .expected: return status
        case .reset:
            resets.replaced(at: now)
            return status + [.report(.reset(new.name, new.transform))]
        case .byHand:
            // The saved rotation is discarded: the user chose another rotation in laptop mode.
            if !pose.isActive { leftTabletMode() }
            let report = AgentMessage.rotatedByHand(new.name, new.transform)
            return status + (resets.isContested(at: now) ? once(report) : [.report(report)])
        }
    }

    /// Reports that a reload ends the rotation of another program.
    private func reportReload() -> [Effect] {
        guard let output, let target = request.next, target != output.transform else { return [] }
        return [.report(.reloaded(output.name, output.transform))]
    }

    private mutating func outputsChanged() {
        request.outputsChanged()
        resets.outputsChanged(at: now)
    }
}

// MARK: Reports

extension AutorotatePolicy {
    /// Reports which output rotates and whether it follows the device, or why none does.
    mutating func reportStatus() -> [Effect] {
        guard selection.isKnown, ending == .running else { return [] }
        let report = status
        // `reportLaptop` reports a laptop without a switch.
        let isLaptop = settings.when == .tablet && !pose.isActive && device.newest?.tabletMode == nil
        guard !reported.contains(report), report.kind != .output || !isLaptop else { return [] }
        reported = reported.filter { !$0.isStatus }
        reported.insert(report)
        return [.report(report.adding(waitsFor == nil ? device.newest?.displayText : nil))]
    }

    /// Reports a desktop file whose only landscape, in UIKit's names, turns the display upside down.
    private mutating func reportUpsideDown() -> [Effect] {
        let app = apps.declarationInFront
        guard let app, let text = app.orientations?.warning(natural: natural) else { return [] }
        return once(.invalidDesktopFile("\(app.fileName): \(DeclaredOrientations.key): \(text)"))
    }

    mutating func once(_ report: AgentMessage) -> [Effect] {
        reported.insert(report).inserted ? [.report(report)] : []
    }
}
