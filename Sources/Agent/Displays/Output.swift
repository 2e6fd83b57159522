// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// An output of a display server: a connector with its place in the layout.
package struct Output: Hashable, Sendable {
    /// The name of the connector, such as `eDP-1`; unique within a server.
    package var name: String
    /// The manufacturer and the model, for messages; nil if unknown.
    package var label: String?
    /// Whether it shows a part of the layout.
    package var isEnabled = true
    /// The rotation and the reflection of the picture.
    package var transform = OutputTransform.normal
    /// The size of the current mode in pixels, before the transform; nil while disabled.
    package var mode: PixelSize?
    /// The ratio of pixels to layout units.
    package var scale = 1.0
    /// The top left corner in the layout, in layout units.
    package var position = LayoutPoint(x: 0, y: 0)

    /// What the addition and the removal of outputs change.
    package var presence: Output { Output(name: name, isEnabled: isEnabled) }

    /// What a rotation by hand does not change.
    package var structure: Output { Output(name: name, isEnabled: isEnabled, mode: mode, scale: scale) }

    /// The usual scales; the layout of an output with another one is computed with the nearest.
    private static let scales = 0.1...100.0
    /// The scales of `wp_fractional_scale_v1` are multiples of 1/120. Wayland reports them as multiples of 1/256.
    private static let (scaleSteps, reportedSteps) = (120.0, 256.0)

    /// The size in layout units, after scale and transform, as wlroots computes it: without the fraction. Zero without a
    /// mode.
    var layoutSize: LayoutSize { layoutSize(.down) }

    /// Returns the size in layout units with another rounding; mutter, KWin and COSMIC round to the nearest.
    func layoutSize(_ rule: FloatingPointRoundingRule) -> LayoutSize {
        guard isEnabled, let mode, scale > 0 else { return LayoutSize(width: 0, height: 0) }
        var scale = min(max(scale, Self.scales.lowerBound), Self.scales.upperBound)
        let step = (scale * Self.scaleSteps).rounded() / Self.scaleSteps
        if abs(step - scale) <= 0.5 / Self.reportedSteps { scale = step }
        // wlroots divides in single precision.
        let width = Int((Float(mode.width) / Float(scale)).rounded(rule))
        let height = Int((Float(mode.height) / Float(scale)).rounded(rule))
        return transform.swapsAxes ? LayoutSize(width: height, height: width) : LayoutSize(width: width, height: height)
    }
}

package struct PixelSize: Hashable, Sendable {
    package var width: Int
    package var height: Int
}

struct LayoutSize: Hashable, Sendable {
    var width: Int
    var height: Int
}

/// A position in the layout, in layout units; x to the right, y downwards.
package struct LayoutPoint: Hashable, Sendable {
    package var x: Int
    package var y: Int
}

/// A rectangle of the layout, in layout units: on X11 of the screen, in pixels.
struct LayoutRectangle: Hashable, Sendable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int

    /// The first column and row outside.
    var right: Int { x + width }
    var bottom: Int { y + height }
}

/// The transform of an output; raw values as in `wl_output.transform`: the rotation is counter-clockwise, and a
/// flipped picture is mirrored left to right before it is rotated.
package enum OutputTransform: Int, CaseIterable, Sendable {
    case normal, rotated90, rotated180, rotated270
    case flipped, flipped90, flipped180, flipped270

    /// Creates the transform that draws the picture upright while this edge of the panel is up.
    package init(_ edge: PanelEdge) {
        self = Self.allCases[edge.waylandTransform]
    }

    /// The rotation of the picture on the panel in degrees, counter-clockwise: 0, 90, 180 or 270.
    package var rotation: Int { rawValue % 4 * 90 }

    /// Whether the picture is mirrored.
    package var isFlipped: Bool { rawValue >= 4 }

    /// Whether width and height of the picture are exchanged.
    package var swapsAxes: Bool { rawValue % 2 == 1 }

    /// The edge of the panel that is up when the picture is upright; nil for a mirrored picture.
    package var edge: PanelEdge? { isFlipped ? nil : PanelEdge(rotation: rotation) }
}

extension OutputTransform: CustomStringConvertible {
    /// The name in wlr-randr and sway's configuration: `normal`, `90`, `flipped-90`.
    package var description: String {
        switch (isFlipped, rotation) {
        case (false, 0): "normal"
        case (false, let rotation): "\(rotation)"
        case (true, 0): "flipped"
        case (true, let rotation): "flipped-\(rotation)"
        }
    }
}
