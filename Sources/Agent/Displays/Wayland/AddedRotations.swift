// SPDX-License-Identifier: Apache-2.0

/// By output: the rotation that a compositor adds to the one that it was sent, as niri adds the kernel's panel orientation.
struct AddedRotations {
    /// The names of the outputs, and degrees.
    private var rotations: [String: Int] = [:]

    /// Notes what the compositor added to the outputs of an accepted configuration; returns whether one is new: the
    /// configuration must be sent again.
    mutating func learn(from unmet: [(reported: Output, requested: Output)]) -> Bool {
        var isNew = false
        // Corrected once: if it is still wrong after that, the difference is no constant.
        for (reported, requested) in unmet where rotations[reported.name] == nil {
            if reported.transform.isFlipped || requested.transform.isFlipped { continue }
            rotations[reported.name] = (reported.transform.rotation - requested.transform.rotation + 360) % 360
            isNew = true
        }
        return isNew
    }

    /// Forgets the rotations of outputs that a corrected configuration has not led to either.
    mutating func forget(_ unmet: [(reported: Output, requested: Output)]) {
        for (reported, _) in unmet { rotations[reported.name] = nil }
    }

    /// The transform to send; the compositor then reports the requested one.
    func transform(for output: Output) -> OutputTransform {
        guard let added = rotations[output.name], !output.transform.isFlipped else { return output.transform }
        return OutputTransform(rawValue: (output.transform.rotation - added + 360) % 360 / 90) ?? output.transform
    }
}
