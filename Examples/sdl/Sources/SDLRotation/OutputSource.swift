// SPDX-License-Identifier: Apache-2.0

import CSDL
import InterfaceRotation
import OrientationModel

/// The output on which a window is, as a source of device orientations.
///
/// The desktop has read the sensor and obeyed its rotation lock, so the app follows the output and not the daemon.
/// Both turn together, and the app does not turn where the desktop did not.
final class OutputSource: DeviceOrientationSource {
    private let sdlWindow: OpaquePointer
    private let outputs: WaylandOutputs?
    /// The shape of the unrotated output; it does not change with a rotation.
    private(set) var shape: PanelShape?
    private weak var device: Device?

    init(_ sdlWindow: OpaquePointer) {
        self.sdlWindow = sdlWindow
        outputs = csdl_wayland_display(sdlWindow).map { WaylandOutputs($0) }
        let unrotated = rotation?.swapsSides == true ? size.swapped : size
        shape = PanelShape(width: unrotated.width, height: unrotated.height)
    }

    func startUpdating(_ device: Device) {
        self.device = device
        update()
    }

    func stopUpdating(_ device: Device) { self.device = nil }

    /// Sets the device to the orientation of the output.
    func update() {
        guard let rotation, let shape else { return }
        device?.update(DeviceOrientation(rotation.edge(on: shape)))
    }

    /// The rotation of the output; nil if it is not known, as under X11, or mirrored.
    ///
    /// `SDL_GetDisplayOrientation` is not used: it depends on the shape of the panel, and was seen to miss changes.
    var rotation: DisplayRotation? {
        guard let all = outputs?.all else { return nil }
        let index = Int(SDL_GetWindowDisplayIndex(sdlWindow))
        guard all.indices.contains(index), let transform = all[index].transform else { return nil }
        return try? DisplayRotation(waylandTransform: transform)
    }

    /// The size of the output; SDL may still report the one before a rotation.
    var size: Size {
        var area = SDL_Rect()
        SDL_GetDisplayBounds(SDL_GetWindowDisplayIndex(sdlWindow), &area)
        return Size(width: Double(area.w), height: Double(area.h))
    }
}
