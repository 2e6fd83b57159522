// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import OrientationTool

/// When the command of `--exec` runs.
@Suite struct ChangeQueueTests {
    private var queue = ChangeQueue()

    private func state(_ orientation: DeviceOrientation, _ sequence: Int = 1) -> OrientationState {
        OrientationState(
            orientation: orientation, lastEdge: .portrait, tilt: Double(sequence), sequence: sequence, instance: "one")
    }

    @Test mutating func `the first state runs the command after the debounce time, without a previous state`() {
        queue.changed(to: state(.portrait))
        #expect(queue.lasted() == .run(state(.portrait), previous: nil))
        #expect(queue.ended() == .nothing)
    }

    @Test mutating func `of several states within the debounce time only the last runs the command`() {
        for orientation in [DeviceOrientation.portrait, .landscapeLeft, .faceUp] {
            queue.changed(to: state(orientation))
        }
        #expect(queue.lasted() == .run(state(.faceUp), previous: nil))
    }

    @Test mutating func `one command runs at a time; then the newest state wins`() {
        queue.changed(to: state(.portrait, 1))
        _ = queue.lasted()
        for (number, orientation) in [DeviceOrientation.landscapeLeft, .faceUp, .landscapeRight].enumerated() {
            queue.changed(to: state(orientation, number + 2))
            #expect(queue.lasted() == .nothing)
        }
        #expect(queue.ended() == .run(state(.landscapeRight, 4), previous: state(.portrait, 1)))
    }

    @Test mutating func `a state within its debounce time when the command ends is waited for`() {
        queue.changed(to: state(.portrait))
        _ = queue.lasted()
        queue.changed(to: state(.faceUp))
        #expect(queue.ended() == .nothing)
        #expect(queue.lasted() == .run(state(.faceUp), previous: state(.portrait)))
    }

    @Test mutating func `a return to the last state runs no command, nor does a restarted daemon with the same state`()
    {
        queue.changed(to: state(.portrait, 1))
        _ = queue.lasted()
        _ = queue.ended()
        queue.changed(to: state(.faceUp, 2))
        queue.changed(to: state(.portrait, 3))
        #expect(queue.lasted() == .nothing)
        var restarted = state(.portrait, 1)
        restarted.instance = "two"
        queue.changed(to: restarted)
        #expect(queue.lasted() == .nothing)
        var locked = restarted
        locked.isLocked = true
        queue.changed(to: locked)
        #expect(queue.lasted() == .run(locked, previous: state(.portrait, 1)))
    }

    @Test mutating func `a step of the lid angle runs no command, the tablet mode that follows does`() {
        var folding = state(.portrait)
        (folding.tabletMode, folding.lidAngle) = (false, 100)
        queue.changed(to: folding)
        _ = queue.lasted()
        _ = queue.ended()
        folding.lidAngle = 105
        queue.changed(to: folding)
        #expect(queue.lasted() == .nothing)
        var folded = folding
        (folded.tabletMode, folded.lidAngle) = (true, 215)
        queue.changed(to: folded)
        guard case .run(folded, _) = queue.lasted() else {
            Issue.record("not run")
            return
        }
    }
}
