// SPDX-License-Identifier: Apache-2.0

/// The arrangement of outputs beside each other.
package nonisolated enum Layout {
    /// Returns the outputs with another transform of one of them.
    ///
    /// Its top left corner stays. Outputs to the right of its right side and below its lower side move by the change of
    /// its size, so that no output overlaps it or leaves a gap; all others keep their position.
    package static func rotating(_ name: String, to transform: OutputTransform, in outputs: [Output]) -> [Output] {
        guard let index = outputs.firstIndex(where: { $0.name == name }) else { return outputs }
        let old = outputs[index]
        var new = old
        new.transform = transform
        let before = old.layoutSize, after = new.layoutSize
        let right = old.position.x + before.width, bottom = old.position.y + before.height
        return outputs.map { output in
            if output.name == name { return new }
            guard output.isEnabled else { return output }
            var moved = output
            if output.position.x >= right { moved.position.x += after.width - before.width }
            if output.position.y >= bottom { moved.position.y += after.height - before.height }
            return moved
        }
    }
}
