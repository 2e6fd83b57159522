// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import OrientationModel

// From the target to a transform that is in effect: the configurations, their results, and what follows them.

extension AutorotatePolicy {
    /// Asks for a transform of the output.
    mutating func begin(_ transform: OutputTransform) -> [Effect] {
        request.ask(for: transform, in: device.newest)
        reported = reported.filter { $0.kind != .failed }
        return [.stopTimer(.retry)] + rotate()
    }

    /// Rotates the output to the target, unless it has it or must keep what it has.
    mutating func rotate() -> [Effect] {
        guard ending == .running, display.loss == nil, let target = request.next, let output, output.isEnabled,
            !output.transform.isFlipped
        else { return [] }
        let current = assumed ?? output.transform
        let isOnlyMoving = current == target
        if isOnlyMoving, settings.isDryRun || !layout.isMisplaced(selection.body, with: target) { return [] }
        let saved = SavedTransform(output: output.name, transform: current)
        pose.save(saved)
        if settings.isDryRun {
            assumed = target
            return rotated(output, to: target, in: request.state)
        }
        let attempt = RotationRequest.Attempt(
            transform: target, state: request.state, isOnlyMoving: isOnlyMoving)
        return saveInitial(saved) + [.startTimer(.result, after: Self.resultTimeout), apply(attempt, to: output)]
    }

    /// Keeps the transform before the first rotation, also for the next agent if this one crashes.
    private mutating func saveInitial(_ saved: SavedTransform) -> [Effect] {
        guard initial?.output != saved.output else { return [] }
        initial = saved
        return [.writeRestoreRecord(saved)]
    }

    mutating func apply(_ attempt: RotationRequest.Attempt, to output: Output) -> Effect {
        request.send(attempt)
        apps.rotationBegan()
        layout.update(outputs, rotating: selection.body)
        return .apply(layout.rotating(selection.body, to: attempt.transform))
    }

    mutating func applied() -> [Effect] {
        guard let attempt = request.pending else { return windowsSettled() }
        request.answered()
        guard let output, output.transform == attempt.transform else {
            return failed(output.map { "\($0.name) has the transform \($0.transform) instead of \(attempt.transform)" })
        }
        request.succeeded()
        layout.applied(outputs)
        if !pose.isActive, attempt.transform == request.target { leftTabletMode() }
        let rotation = attempt.isOnlyMoving ? [] : rotated(output, to: attempt.transform, in: attempt.state)
        let windows: [Effect] = apps.window == nil ? [] : [.startTimer(.windows, after: Self.windowsTimeout)]
        return [.stopTimer(.result)] + rotation + windows + alignInput() + rotate()
    }

    /// Maps input to the output, unless another program rotates it.
    func alignInput() -> [Effect] {
        guard !settings.isDryRun, let output, output.isEnabled else { return [] }
        return [.alignInput(output)]
    }

    /// Returns the effects after a rotation that a state of the device asked for.
    private mutating func rotated(
        _ output: Output, to transform: OutputTransform, in state: OrientationState?
    ) -> [Effect] {
        let previous = rotationState
        rotationState = state
        let report = Effect.report(.rotated(output.name, transform, isDryRun: settings.isDryRun))
        guard let state, !settings.isDryRun else { return [report] }
        return [report, .runCommand(state, previous: previous, output: output.name, transform: transform)]
    }

    mutating func retry() -> [Effect] {
        request.retry()
        return rotate()
    }

    mutating func resultTimedOut() -> [Effect] {
        guard ending == .running else { return [] }
        request.timedOut()
        return failed("the display server did not reply")
    }

    /// Schedules another attempt; without a reason the outputs have changed meanwhile. A failure after the timeout of its
    /// configuration is ignored.
    mutating func failed(_ reason: String?) -> [Effect] {
        guard let attempt = request.finish() else { return [] }
        let isLast = request.isLastAttempt
        var effects: [Effect] = [.stopTimer(.result)]
        var report: AgentMessage?
        if let output, let text = reason ?? (isLast ? "its outputs keep changing" : nil) {
            let failure = AgentMessage.failed(output.name, attempt.transform, text)
            report = failure
            effects += once(failure)
            if isLast { effects.append(.report(.gaveUp(output.name, attempt.transform))) }
        }
        let first = reason == nil ? Self.outdatedDelay : Self.retryDelay
        guard let delay = request.failed(attempt, report, first: first) else { return effects + windowsSettled() }
        return effects + [.startTimer(.retry, after: delay)]
    }

    /// Windows have followed the last rotation, unless another one has begun.
    mutating func windowsSettled() -> [Effect] {
        if request.pending == nil { apps.rotationEnded() }
        return []
    }
}
