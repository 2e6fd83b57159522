// SPDX-License-Identifier: Apache-2.0

public import InterfaceRotation

/// A view that is a box with text in its middle. One unit of its coordinates is one character cell.
@MainActor public final class TextView: View {
    /// What is written, line by line.
    public var text: String
    /// What the box is filled with; nil lets what is behind show through.
    public var background: Character?
    /// Whether dots run around it.
    public var hasBorder = false

    /// Makes a box at `frame`.
    public init(_ text: String = "", frame: Rect = .zero, background: Character? = " ") {
        self.text = text
        self.background = background
        super.init(frame: frame)
    }

    /// What is drawn at a point of the view; nil for nothing.
    func glyph(at point: Point) -> Character? {
        let (column, row) = (Int(point.x.rounded(.down)), Int(point.y.rounded(.down)))
        let (width, height) = (Int(bounds.size.width), Int(bounds.size.height))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let line = row - (height - lines.count) / 2
        if lines.indices.contains(line) {
            let characters = Array(lines[line])
            let position = column - (width - characters.count) / 2
            if characters.indices.contains(position) { return characters[position] }
        }
        if hasBorder, column == 0 || row == 0 || column == width - 1 || row == height - 1 { return "." }
        return background
    }
}

/// A controller whose view is one text.
@MainActor open class TextController: ViewController {
    /// The view.
    public let label: TextView
    private let mask: InterfaceOrientationMask?

    /// Makes a controller that supports `mask`; the default if it is nil.
    public init(_ title: String, text: String? = nil, supporting mask: InterfaceOrientationMask? = nil) {
        label = TextView(text ?? title)
        self.mask = mask
        super.init(title: title)
    }

    open override func loadView() {
        label.hasBorder = true
        view = label
    }

    open override var supportedInterfaceOrientations: InterfaceOrientationMask {
        mask ?? super.supportedInterfaceOrientations
    }
}
