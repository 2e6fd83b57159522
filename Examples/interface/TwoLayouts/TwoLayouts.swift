// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import Foundation
import InterfaceRotation
import OrientationModel

/// One controller for each class of orientation: the portrait one presents the landscape one when the device is in
/// landscape. Under the user's lock no notification is posted, so the example needs no code for it.
///
/// With `--contained` nothing is presented: a container that can be shown any way swaps its child while it turns.
@main @MainActor enum TwoLayouts {
    static func main() async {
        let isContained = Example.flag("--contained")
        let example = Example()
        exit(await example.run(showing: isContained ? Container() : Upright(example.application.device)))
    }
}

@MainActor private final class Upright: TextController {
    private let wide = TextController("Chart", text: "Chart\nof the same\nnumbers", supporting: .landscape)

    init(_ device: Device) {
        super.init("List", text: "List\nof numbers", supporting: .portrait)
        device.orientationDidChange.addObserver(self) { $0.deviceTurned(to: $1.new) }
    }

    private func deviceTurned(to orientation: DeviceOrientation) {
        if orientation.isLandscape, presentedViewController == nil {
            present(wide)
        } else if orientation.isPortrait, presentedViewController != nil {
            dismiss()
        }
    }
}

@MainActor private final class Container: ViewController {
    private let tall = TextController("List", text: "List\nof numbers")
    private let wide = TextController("Chart", text: "Chart\nof the same\nnumbers")

    /// A container that appears in landscape does not turn, so there is no transition.
    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        let (old, new) = interfaceOrientation.isLandscape ? (tall, wide) : (wide, tall)
        if children.isEmpty { begin(with: new) } else { swap(old, for: new) }
    }

    private func begin(with child: TextController) {
        take(child)
        view.addSubview(child.view)
        child.didMove(toParent: self)
    }

    override func viewWillTransition(to size: Size, with coordinator: TransitionCoordinator) {
        super.viewWillTransition(to: size, with: coordinator)
        let (old, new) = size.width > size.height ? (tall, wide) : (wide, tall)
        coordinator.animate { [self] _ in swap(old, for: new) }
    }

    private func swap(_ old: TextController, for new: TextController) {
        guard old.parent === self else { return }
        old.willMove(toParent: nil)
        take(new)
        transition(from: old, to: new, animations: nil) { [self] _ in
            old.removeFromParent()
            new.didMove(toParent: self)
        }
    }

    private func take(_ child: TextController) {
        addChild(child)
        child.view.frame = view.bounds
        child.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    }
}
