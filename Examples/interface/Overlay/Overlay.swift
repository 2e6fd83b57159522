// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import Foundation
import InterfaceRotation
import OrientationModel

/// Views that turn by themselves: a badge in a window of its own that turns with the device, a bar that turns with the
/// status bar, and a landscape dialog inside an interface that stays as it is.
@main @MainActor enum Overlay {
    static func main() async {
        // The camera is in the panel's top edge.
        let shape = PanelShape(width: Example.panel.width, height: Example.panel.height)
        let safeArea = SafeArea(
            EdgeInsets(top: 3, left: 0, bottom: 1, right: 0), in: shape.naturalInterfaceOrientation)
        let example = Example(safeArea: safeArea)
        let application = example.application
        let overlay = Window(application: application, frame: Rect(x: 0, y: 0, width: 15, height: 15))
        example.show(overlay)
        let badge = TextView("up", frame: Rect(x: 11, y: 3, width: 2, height: 2), background: nil)
        // Square, because width and height swap when it is rotated by 90°.
        let bar = TextView("12:00", frame: Rect(x: 5, y: 3, width: 5, height: 5), background: nil)
        overlay.addSubview(badge)
        overlay.addSubview(bar)
        badge.follow(.device)
        bar.follow(.statusBar)

        let dialog = TextView("", frame: example.window.bounds, background: nil)
        example.command("dialog", "show a landscape dialog") { _ in
            example.window.addSubview(dialog)
            dialog.follow(.fixed(.landscapeLeft))
            let room = safeArea.safeArea(in: example.window.bounds.size, for: .landscapeLeft)
            let margin = (room.size.height - 7) / 2
            let question = TextView(
                "Delete?\nyes  no", frame: room.inset(by: .init(top: margin, left: 2, bottom: margin, right: 2)))
            question.hasBorder = true
            dialog.addSubview(question)
        }
        example.command("close", "answer it") { _ in dialog.removeFromSuperview() }
        example.command("overlay", "show the badge and the bar") { _ in overlay.isHidden = false }
        exit(await example.run(showing: TextController("Page", supporting: [.portrait, .landscapeRight])))
    }
}
