// SPDX-License-Identifier: Apache-2.0

import CSDL
import InterfaceRotation

/// A colour, as in CSS: `0xRRGGBB`.
struct Color {
    let value: UInt32

    init(_ value: UInt32) { self.value = value }

    /// The colour in the byte order of SDL2_gfx.
    var gfx: UInt32 { 0xFF00_0000 | (value & 0xFF) << 16 | value & 0xFF00 | value >> 16 }
}

/// A view with a colour and a text, that can be pressed.
final class Box: View {
    var color: Color
    var text: String
    private let textColor: Color
    private let press: (() -> Void)?

    /// Two pixels of the screen are one of the built-in font, whose characters have 8 × 8.
    private static let scale = 2.0, character = 8.0

    init(_ text: String = "", color: Color, textColor: Color = Color(0xFFFFFF), press: (() -> Void)? = nil) {
        (self.text, self.color, self.textColor, self.press) = (text, color, textColor, press)
        super.init()
    }

    /// Draws the box with its upper left corner at a point, and its subviews.
    func draw(_ renderer: OpaquePointer, at corner: Point) {
        let (right, bottom) = (corner.x + bounds.size.width - 1, corner.y + bounds.size.height - 1)
        boxColor(renderer, Int16(corner.x), Int16(corner.y), Int16(right), Int16(bottom), color.gfx)
        drawText(renderer, from: corner.x, corner.y)
        for case let box as Box in subviews where !box.isHidden {
            box.draw(renderer, at: Point(x: corner.x + box.frame.origin.x, y: corner.y + box.frame.origin.y))
        }
    }

    /// Draws the lines of the text in the middle of the box.
    private func drawText(_ renderer: OpaquePointer, from left: Double, _ top: Double) {
        let cell = Self.scale * Self.character
        let lines = wrapped(to: Int(bounds.size.width / cell) - 1)
        let height = Double(lines.count) * cell * 1.5
        SDL_RenderSetScale(renderer, Float(Self.scale), Float(Self.scale))
        for (index, line) in lines.enumerated() {
            let x = left + (bounds.size.width - Double(line.count) * cell) / 2
            let y = top + (bounds.size.height - height) / 2 + (Double(index) + 0.17) * cell * 1.5
            stringColor(renderer, Int16(x / Self.scale), Int16(y / Self.scale), line, textColor.gfx)
        }
        SDL_RenderSetScale(renderer, 1, 1)
    }

    private func wrapped(to width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + word.count < width {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    /// Presses the frontmost box at a point of this one; false if there is none.
    @discardableResult
    func press(at point: Point) -> Bool {
        let isInside =
            point.x >= 0 && point.y >= 0 && point.x < bounds.size.width && point.y < bounds.size.height
        guard isInside, !isHidden else { return false }
        for case let box as Box in subviews.reversed() {
            let local = Point(x: point.x - box.frame.origin.x, y: point.y - box.frame.origin.y)
            if box.press(at: local) { return true }
        }
        press?()
        return press != nil
    }
}
