// SPDX-License-Identifier: Apache-2.0

internal import Displays

/// The layout from which rotations start: rotating back gives the former positions of the other outputs.
struct RotatedLayout: Sendable {
    /// The outputs before the first rotation, or since another program changed more than the transform of the output.
    private var former: [Output] = []
    /// The outputs as they were reported last.
    private var latest: [Output] = []
    /// The outputs of the last configuration.
    private var requested: [Output] = []
    /// Whether another program rotated the output after the last configuration: the positions may not fit.
    private var isRotatedByHand = false

    /// Records the outputs. A change of more than the transform of this output is the new start.
    mutating func update(_ outputs: [Output], rotating body: [String]) {
        if Set(outputs) == Set(requested) { return applied(outputs) }
        guard Self.fixed(outputs, except: body) == Self.fixed(latest, except: body) else {
            (former, latest, requested, isRotatedByHand) = (outputs, outputs, [], false)
            return
        }
        if Set(outputs) != Set(latest) { isRotatedByHand = true }
        latest = outputs
    }

    /// Records the outputs that the last configuration led to.
    mutating func applied(_ outputs: [Output]) {
        (latest, isRotatedByHand) = (outputs, false)
    }

    /// Returns the outputs to apply for another transform of the first of these outputs, which turn as one body.
    mutating func rotating(_ body: [String], to transform: OutputTransform) -> [Output] {
        requested = Layout.rotating(body[0], with: body, to: transform, in: former)
        return requested
    }

    /// Whether the other outputs have to move although the output has this transform.
    func isMisplaced(_ body: [String], with transform: OutputTransform) -> Bool {
        isRotatedByHand && Set(Layout.rotating(body[0], with: body, to: transform, in: former)) != Set(latest)
    }

    /// What a rotation by hand does not change.
    private static func fixed(_ outputs: [Output], except body: [String]) -> Set<Output> {
        Set(
            outputs.map { output in
                var fixed = output
                if body.contains(output.name) { fixed.transform = .normal }
                return fixed
            })
    }
}
