// SPDX-License-Identifier: Apache-2.0

extension View {
    /// Springs and struts: the superview changed its size.
    func resize(from old: Size, to new: Size) {
        guard !autoresizingMask.isEmpty else { return }
        let here = frame
        let across = Self.stretch(
            here.origin.x, here.size.width, old.width, new.width,
            Flexible(
                before: autoresizingMask.contains(.flexibleLeftMargin),
                extent: autoresizingMask.contains(.flexibleWidth),
                after: autoresizingMask.contains(.flexibleRightMargin)))
        let down = Self.stretch(
            here.origin.y, here.size.height, old.height, new.height,
            Flexible(
                before: autoresizingMask.contains(.flexibleTopMargin),
                extent: autoresizingMask.contains(.flexibleHeight),
                after: autoresizingMask.contains(.flexibleBottomMargin)))
        frame = Rect(x: across.start, y: down.start, width: across.extent, height: down.extent)
    }

    private struct Flexible {
        var before: Bool
        var extent: Bool
        var after: Bool
    }

    /// Shares the difference among the flexible parts in proportion to their size; evenly if they have none. Without
    /// a flexible part the far margin gives way.
    private static func stretch(
        _ start: Double, _ extent: Double, _ old: Double, _ new: Double, _ flexible: Flexible
    ) -> (start: Double, extent: Double) {
        let parts = [
            (flexible.before, start), (flexible.extent, extent), (flexible.after, old - start - extent),
        ]
        let pliable = parts.filter(\.0)
        let sum = pliable.reduce(0) { $0 + $1.1 }
        func share(_ part: (Bool, Double)) -> Double {
            guard part.0 else { return 0 }
            return (new - old) * (sum == 0 ? 1 / Double(pliable.count) : part.1 / sum)
        }
        return (start + share(parts[0]), max(0, extent + share(parts[1])))
    }
}
