// SPDX-License-Identifier: Apache-2.0

/// The arrangement of outputs beside each other.
package enum Layout {
    /// Returns the outputs with another transform of one of them, and of its companions, which turn with it as one body.
    ///
    /// The top left corner of the body stays. The outputs at its right side, and those that are joined to them there, move
    /// by the change of its width; those at its lower side by the change of its height: no output overlaps it or leaves a
    /// gap. An output that touched it and would not any more moves to its first row or column. All others keep their
    /// position.
    package static func rotating(
        _ name: String, with companions: [String] = [], to transform: OutputTransform, in outputs: [Output]
    ) -> [Output] {
        guard let old = outputs.first(where: { $0.name == name }) else { return outputs }
        let body = [old] + outputs.filter { $0.isEnabled && $0.name != name && companions.contains($0.name) }
        let others = outputs.filter { output in output.isEnabled && !body.contains { $0.name == output.name } }
        let rule = rounding(of: old, beside: others)
        let before = LayoutRectangle(around: body, rule)
        let turned = body.map { $0.turned(from: old.transform, to: transform, with: before, rule) }
        let after = LayoutRectangle(around: turned, rule)
        let right = joined(
            others.filter { $0.area.x >= before.right - tolerance }, from: { $0.overlapsRows(of: before) })
        let below = joined(
            others.filter { $0.area.y >= before.bottom - tolerance && !right.contains($0.name) },
            from: { $0.overlapsColumns(of: before) })
        return outputs.map { output in
            if let new = turned.first(where: { $0.name == output.name }) { return new }
            var moved = output
            if right.contains(output.name) {
                moved.position.x += after.right - before.right
                if output.area.overlapsRows(of: before), !moved.area.overlapsRows(of: after) {
                    moved.position.y = after.y
                }
            } else if below.contains(output.name) {
                moved.position.y += after.bottom - before.bottom
                if output.area.overlapsColumns(of: before), !moved.area.overlapsColumns(of: after) {
                    moved.position.x = after.x
                }
            }
            return moved
        }
    }

    /// The difference between the rounded sizes of two programs, in layout units.
    private static let tolerance = 1

    /// Returns how the server rounds sizes: to the nearest if another output starts exactly there, otherwise down.
    private static func rounding(of output: Output, beside others: [Output]) -> FloatingPointRoundingRule {
        let (down, nearest) = (output.area, LayoutRectangle(output, .toNearestOrAwayFromZero))
        let touches = { (area: LayoutRectangle) in
            others.contains { $0.position.x == area.right || $0.position.y == area.bottom }
        }
        return touches(nearest) && !touches(down) ? .toNearestOrAwayFromZero : .down
    }

    /// Returns the names of the outputs that show a part of a rectangle, first the one with its center.
    static func outputs(showing rectangle: LayoutRectangle, in outputs: [Output]) -> [String] {
        let center = LayoutRectangle(
            x: rectangle.x + rectangle.width / 2, y: rectangle.y + rectangle.height / 2, width: 1, height: 1)
        let shown = outputs.filter { $0.isEnabled && $0.area.overlaps(rectangle) }
        let first = shown.first { $0.area.overlaps(center) }
        return (first.map { [$0.name] } ?? []) + shown.map(\.name).filter { $0 != first?.name }
    }

    /// Returns the names of the outputs that meet a condition, and of those that touch them, directly or through others.
    private static func joined(_ outputs: [Output], from isFirst: (LayoutRectangle) -> Bool) -> Set<String> {
        var names = Set(outputs.filter { isFirst($0.area) }.map(\.name))
        var count = -1
        while names.count != count {
            count = names.count
            let areas = outputs.filter { names.contains($0.name) }.map(\.area)
            names.formUnion(outputs.filter { output in areas.contains { $0.touches(output.area) } }.map(\.name))
        }
        return names
    }
}

extension LayoutRectangle {
    fileprivate init(_ output: Output, _ rule: FloatingPointRoundingRule) {
        let size = output.layoutSize(rule)
        self.init(x: output.position.x, y: output.position.y, width: size.width, height: size.height)
    }

    /// The smallest rectangle that contains all outputs.
    fileprivate init(around outputs: [Output], _ rule: FloatingPointRoundingRule) {
        let areas = outputs.map { LayoutRectangle($0, rule) }
        let (x, y) = (areas.map(\.x).min() ?? 0, areas.map(\.y).min() ?? 0)
        self.init(
            x: x, y: y, width: (areas.map(\.right).max() ?? 0) - x, height: (areas.map(\.bottom).max() ?? 0) - y)
    }

    fileprivate func overlaps(_ other: Self) -> Bool { overlapsRows(of: other) && overlapsColumns(of: other) }
    fileprivate func overlapsRows(of other: Self) -> Bool { y < other.bottom && other.y < bottom }
    fileprivate func overlapsColumns(of other: Self) -> Bool { x < other.right && other.x < right }

    /// Whether the areas share a part of an edge, or overlap.
    fileprivate func touches(_ other: Self) -> Bool {
        let (rows, columns) = (overlapsRows(of: other), overlapsColumns(of: other))
        return rows && x <= other.right && other.x <= right || columns && y <= other.bottom && other.y <= bottom
    }
}

extension Output {
    fileprivate var area: LayoutRectangle { LayoutRectangle(self, .down) }

    /// Returns the output after a turn of a body that it is part of; `old` and `new` are transforms of the body.
    fileprivate func turned(
        from old: OutputTransform, to new: OutputTransform, with body: LayoutRectangle,
        _ rule: FloatingPointRoundingRule
    ) -> Output {
        let area = LayoutRectangle(self, rule)
        let (left, right) = (area.x - body.x, body.right - area.right)
        let (above, below) = (area.y - body.y, body.bottom - area.bottom)
        let turns = (new.rawValue - old.rawValue + 8) % 4
        let offset = [(left, above), (below, left), (right, below), (above, right)][turns]
        var output = self
        output.transform =
            transform == old
            ? new : OutputTransform.allCases[transform.rawValue / 4 * 4 + (transform.rawValue + turns) % 4]
        output.position = LayoutPoint(x: body.x + offset.0, y: body.y + offset.1)
        return output
    }
}
