// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import Foundation
import InterfaceRotation
import OrientationModel

/// One controller for each class of orientation: the portrait one presents the landscape one when the device is on its
/// side. The user's lock needs no line here, because under it the device says nothing.
@main @MainActor enum TwoLayouts {
    static func main() async {
        let example = Example()
        exit(await example.run(showing: Upright(example.application.device)))
    }
}

@MainActor private final class Upright: TextController {
    private let wide = TextController("Chart", text: "Chart\nof the same\nnumbers", supporting: .landscape)

    init(_ device: Device) {
        super.init("List", text: "List\nof numbers", supporting: .portrait)
        device.orientationDidChange.addObserver(self) { $0.deviceTurned(to: $1.new) }
    }

    private func deviceTurned(to orientation: DeviceOrientation) {
        do {
            if orientation.isLandscape, presentedViewController == nil {
                try present(wide)
            } else if orientation.isPortrait, presentedViewController != nil {
                try dismiss()
            }
        } catch {
            label.text = "\(error)"
        }
    }
}
