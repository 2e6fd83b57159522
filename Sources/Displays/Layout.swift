// SPDX-License-Identifier: Apache-2.0

/// The arrangement of outputs beside each other.
package nonisolated enum Layout {
    /// Returns the outputs with another transform of one of them.
    ///
    /// Its top left corner stays. Outputs at its right side move to the right or left by the change of its width, others
    /// below its lower side move up or down by the change of its height, so that no output overlaps it or leaves a gap. One
    /// that would touch it at no point any more moves to its first row or column. All others keep their position.
    package static func rotating(_ name: String, to transform: OutputTransform, in outputs: [Output]) -> [Output] {
        guard let index = outputs.firstIndex(where: { $0.name == name }) else { return outputs }
        let old = outputs[index]
        var new = old
        new.transform = transform
        let (before, after) = (old.area, new.area)
        return outputs.map { output in
            if output.name == name { return new }
            guard output.isEnabled else { return output }
            var moved = output
            if output.area.left >= before.right {
                moved.position.x += after.right - before.right
                if output.area.overlapsRows(of: before), !moved.area.overlapsRows(of: after) {
                    moved.position.y = new.position.y
                }
            } else if output.area.top >= before.bottom {
                moved.position.y += after.bottom - before.bottom
                if output.area.overlapsColumns(of: before), !moved.area.overlapsColumns(of: after) {
                    moved.position.x = new.position.x
                }
            }
            return moved
        }
    }
}

/// The area of an output in the layout; right and bottom are outside.
private nonisolated struct Area {
    let left, top, right, bottom: Int

    func overlapsRows(of other: Area) -> Bool { top < other.bottom && other.top < bottom }
    func overlapsColumns(of other: Area) -> Bool { left < other.right && other.left < right }
}

extension Output {
    fileprivate nonisolated var area: Area {
        let size = layoutSize
        return Area(
            left: position.x, top: position.y, right: position.x + size.width, bottom: position.y + size.height)
    }
}
