// SPDX-License-Identifier: Apache-2.0

internal import Displays

// Reports, and the end of the agent.

extension AutorotatePolicy {
    /// Reports which output rotates, or why none does.
    mutating func reportStatus() -> [Effect] {
        guard selection.isKnown else { return [] }
        let report = status
        guard !reported.contains(report) else { return [] }
        reported = reported.filter { !$0.isStatus }
        return once(report)
    }

    mutating func once(_ report: Report) -> [Effect] {
        reported.insert(report).inserted ? [.report(report)] : []
    }

    /// Windows have followed the last rotation, unless another one has begun.
    mutating func windowsSettled() -> [Effect] {
        if pending == nil { apps.rotationEnded() }
        return []
    }

    /// Keeps the transform before the first rotation, also for the next agent if this one crashes.
    mutating func saveInitial(_ saved: SavedTransform) -> [Effect] {
        guard initial?.output != saved.output else { return [] }
        initial = saved
        return [.writeRestoreRecord(saved)]
    }

    mutating func end() -> [Effect] {
        guard !isEnding else { return [.exit] }
        isEnding = true
        // The result of the pending configuration ends the wait.
        return pending == nil ? restore() : [.startTimer(.exit, after: Self.exitTimeout)]
    }

    /// Restores the rotation and the layout from before the start, once, and then exits. The restore record stays if they
    /// cannot be restored.
    mutating func restore() -> [Effect] {
        guard let initial else { return [.exit] }
        guard settings.restoresOnExit, isPermitted else { return [.removeRestoreRecord, .exit] }
        guard let output, output.name == initial.output, output.isEnabled, !output.transform.isFlipped else {
            return [.exit]
        }
        if output.transform == initial.transform, !layout.isMisplaced(output.name, with: initial.transform) {
            return [.removeRestoreRecord, .exit]
        }
        guard !isRestoring else { return [.exit] }
        isRestoring = true
        return [.startTimer(.exit, after: Self.exitTimeout), apply(initial.transform, to: output)]
    }
}
