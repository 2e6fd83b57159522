// SPDX-License-Identifier: Apache-2.0

package import InterfaceRotation
import OrientationModel

/// Draws a device in the terminal as the user holds it: the frame stands as the device does, the edge of `#` is the
/// device's top, and the windows are in it as they are turned. A unit is two columns wide, so that it is about square.
@MainActor package final class Terminal: WindowSurface {
    private unowned let application: Application
    private var pictures: [ObjectIdentifier: Picture] = [:]
    /// Called for every frame while something turns.
    package var onFrame: (@MainActor () -> Void)?

    package init(_ application: Application) { self.application = application }

    package func window(_ window: Window, shows picture: Picture) {
        pictures[ObjectIdentifier(window)] = picture
        onFrame?()
    }

    /// The lines to print.
    package func render() -> [String] {
        let shape = application.screen.shape
        let upright = application.device.edge.map { InterfaceOrientation($0) } ?? shape.naturalInterfaceOrientation
        let rotation = DisplayRotation(upright, on: shape)
        // The interface turns against the device, so the device is seen turned by the opposite angle.
        let toPanel = Transform(degrees: rotation.angle)
        let panel = application.screen.fixedBounds.size
        let size = panel.turned(to: upright, on: shape)
        var rows: [String] = []
        for row in 0..<Int(size.height) {
            var line = ""
            for column in 0..<Int(size.width) {
                let seen = Point(x: Double(column) + 0.5 - size.width / 2, y: Double(row) + 0.5 - size.height / 2)
                let there = seen.applying(toPanel)
                let point = Point(x: there.x + panel.width / 2, y: there.y + panel.height / 2)
                line += "\(glyph(at: point)) "
            }
            rows.append(line)
        }
        return framed(rows, up: rotation.panelEdge)
    }

    /// Draws the frame of a panel while this edge of it is up.
    private func framed(_ rows: [String], up edge: PanelEdge) -> [String] {
        let width = rows.first?.count ?? 0
        func horizontal(_ isTop: Bool) -> String { "+" + String(repeating: isTop ? "#" : "-", count: width) + "+" }
        let (left, right) = (edge == .right ? "#" : "|", edge == .left ? "#" : "|")
        return [horizontal(edge == .top)] + rows.map { left + $0 + right } + [horizontal(edge == .bottom)]
    }

    private func glyph(at point: Point) -> Character {
        for window in application.windows.reversed() {
            if let glyph = glyph(in: window, at: unturned(point, in: window)) { return glyph }
        }
        return " "
    }

    /// While a window turns, its root view is already where it will be; the picture says how far it is seen.
    private func unturned(_ point: Point, in window: Window) -> Point {
        guard let picture = pictures[ObjectIdentifier(window)], picture.progress < 1,
            let back = picture.transform.inverted()
        else { return point }
        let center = window.center
        let turned = Point(x: point.x - center.x, y: point.y - center.y)
            .applying(back.concatenating(picture.orientation.transform(on: application.screen.shape)))
        return Point(x: turned.x + center.x, y: turned.y + center.y)
    }

    /// The frontmost thing that a view draws at a point of its superview.
    private func glyph(in view: View, at point: Point) -> Character? {
        guard !view.isHidden, let back = view.effectiveTransform.inverted() else { return nil }
        let local = Point(x: point.x - view.center.x, y: point.y - view.center.y).applying(back)
        let middle = view.bounds.center
        let inside = Point(x: local.x + middle.x, y: local.y + middle.y)
        let size = view.bounds.size
        guard inside.x >= 0, inside.y >= 0, inside.x < size.width, inside.y < size.height else { return nil }
        for subview in view.subviews.reversed() {
            if let glyph = glyph(in: subview, at: inside) { return glyph }
        }
        return (view as? TextView)?.glyph(at: inside)
    }
}
