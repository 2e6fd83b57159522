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
    /// The shape of the unrotated output, which SDL does not report.
    let shape: PanelShape
    private weak var device: Device?

    init(_ sdlWindow: OpaquePointer, shape: PanelShape?) {
        self.sdlWindow = sdlWindow
        let size = Self.size(of: sdlWindow)
        self.shape = shape ?? PanelShape(width: size.width, height: size.height)
    }

    func startUpdating(_ device: Device) {
        self.device = device
        update()
    }

    func stopUpdating(_ device: Device) { self.device = nil }

    /// Sets the device to the orientation of the output.
    func update() {
        guard let rotation else { return }
        device?.update(DeviceOrientation(rotation.edge(on: shape)))
    }

    /// The rotation of the output; nil if SDL does not know it, as under X11.
    ///
    /// SDL names the rotations by the picture: `LANDSCAPE` is the unrotated picture of a wide panel, and that of a tall
    /// one with `wl_output` transform 90.
    var rotation: DisplayRotation? {
        let wide = shape == .wide
        let transform: Int
        switch SDL_GetDisplayOrientation(SDL_GetWindowDisplayIndex(sdlWindow)) {
        case SDL_ORIENTATION_LANDSCAPE: transform = wide ? 0 : 1
        case SDL_ORIENTATION_PORTRAIT: transform = wide ? 1 : 0
        case SDL_ORIENTATION_LANDSCAPE_FLIPPED: transform = wide ? 2 : 3
        case SDL_ORIENTATION_PORTRAIT_FLIPPED: transform = wide ? 3 : 2
        default: return nil
        }
        return try? DisplayRotation(waylandTransform: transform)
    }

    /// The size of the output as it is rotated.
    var size: Size { Self.size(of: sdlWindow) }

    private static func size(of sdlWindow: OpaquePointer) -> Size {
        var area = SDL_Rect()
        SDL_GetDisplayBounds(SDL_GetWindowDisplayIndex(sdlWindow), &area)
        return Size(width: Double(area.w), height: Double(area.h))
    }
}
