// SPDX-License-Identifier: Apache-2.0

/// The state of the screen in RandR's terms.
struct X11Screen: Hashable, Sendable {
    /// The size of the screen: of the picture that the outputs show parts of.
    var size: LayoutSize
    /// The limits of the size.
    var smallest: LayoutSize
    var greatest: LayoutSize
    var controllers: [Controller]
    var connectors: [Connector]
    var modes: [UInt32: PixelSize]

    /// A CRTC, which shows a rectangle of the screen on one or more connectors.
    struct Controller: Hashable, Sendable {
        var identifier: UInt32
        /// The rectangle after the rotation.
        var rectangle: LayoutRectangle
        /// Zero while it is off.
        var mode: UInt32
        var rotation: X11Rotation
        /// The rotations and reflections that the driver can do.
        var supported: X11Rotation
        var connectors: [UInt32]

        var isOn: Bool { mode != 0 }
    }

    /// An output of RandR.
    struct Connector: Hashable, Sendable {
        var identifier: UInt32
        var name: String
        /// Zero while it is off.
        var controller: UInt32
        /// The size of the panel before the rotation, in millimeters; zero if unknown.
        var millimeters: LayoutSize
    }
}

extension X11Screen {
    /// The outputs that are connected, or on.
    var outputs: [Output] {
        connectors.map { connector in
            guard let controller = controller(of: connector), let mode = modes[controller.mode] else {
                return Output(name: connector.name, isEnabled: false)
            }
            let transform = controller.rotation.transform
            let rectangle = controller.rectangle
            // Another scale than 1 is the work of `xrandr --scale`.
            let width = transform.swapsAxes ? rectangle.height : rectangle.width
            return Output(
                name: connector.name, transform: transform, mode: mode,
                scale: width > 0 ? Double(mode.width) / Double(width) : 1,
                position: LayoutPoint(x: rectangle.x, y: rectangle.y))
        }
    }

    /// The CRTC that drives a connector; nil while it is off.
    func controller(of connector: Connector) -> Controller? {
        controllers.first { $0.identifier == connector.controller && $0.isOn }
    }

    /// The CRTC that drives the output of a name; nil while it is off.
    func controller(named name: String) -> Controller? {
        connectors.first { $0.name == name }.flatMap { controller(of: $0) }
    }

    /// The smallest size that holds all rectangles, within the limits.
    fileprivate func size(holding controllers: [Controller]) -> LayoutSize {
        let rectangles = controllers.filter(\.isOn).map(\.rectangle)
        return LayoutSize(
            width: max(rectangles.map(\.right).max() ?? size.width, smallest.width),
            height: max(rectangles.map(\.bottom).max() ?? size.height, smallest.height))
    }
}

/// The steps from one configuration of a screen to another, in the order of the requests.
struct X11Plan: Hashable, Sendable {
    /// CRTCs to turn off first: RandR refuses a screen size that does not contain every CRTC that is on.
    var turnedOff: [X11Screen.Controller] = []
    /// The new size of the screen; nil if it stays.
    var size: LayoutSize?
    /// CRTCs to set, with their new rectangles and rotations.
    var set: [X11Screen.Controller] = []

    /// The reason for which a configuration is impossible.
    struct Impossible: Error, Hashable { let reason: String }

    /// Plans the transforms and positions of `outputs` on a screen.
    init(_ outputs: [Output], on screen: X11Screen) throws(Impossible) {
        var controllers = screen.controllers
        for output in outputs where output.isEnabled {
            guard let identifier = screen.controller(named: output.name)?.identifier,
                let index = controllers.firstIndex(where: { $0.identifier == identifier })
            else { throw Impossible(reason: "\(output.name): the output is off or disconnected") }
            let old = screen.controllers[index]
            var new = old
            new.rectangle.x = output.position.x
            new.rectangle.y = output.position.y
            if output.transform != old.rotation.transform {
                new.rotation = X11Rotation(output.transform)
                if output.transform.swapsAxes != old.rotation.transform.swapsAxes {
                    swap(&new.rectangle.width, &new.rectangle.height)
                }
                guard new.rotation.isSubset(of: old.supported) else {
                    throw Impossible(
                        reason: "the driver does not support '\(output.transform)'; use the modesetting driver")
                }
            }
            // If outputs mirror each other through one CRTC, the changed output determines the result.
            if new != old { controllers[index] = new }
        }
        set = zip(screen.controllers, controllers).filter { $0 != $1 }.map(\.1)
        guard !set.isEmpty else { return }
        if let outside = outputs.first(where: { $0.isEnabled && ($0.position.x < 0 || $0.position.y < 0) }) {
            throw Impossible(
                reason: "\(outside.name): the position \(outside.position.x),\(outside.position.y) is outside the "
                    + "screen, which begins at 0,0")
        }
        let wanted = screen.size(holding: controllers)
        guard wanted.width <= screen.greatest.width, wanted.height <= screen.greatest.height else {
            throw Impossible(
                reason: "the screen would be \(wanted.width)x\(wanted.height) pixels; the driver allows "
                    + "\(screen.greatest.width)x\(screen.greatest.height)")
        }
        guard wanted != screen.size else { return }
        size = wanted
        turnedOff = screen.controllers.filter { old in
            old.isOn && (old.rectangle.right > wanted.width || old.rectangle.bottom > wanted.height)
        }
        // Those that were turned off only for the size are set again.
        for off in turnedOff where !set.contains(where: { $0.identifier == off.identifier }) { set.append(off) }
    }

    /// The steps back from a part of this plan to the screen before it.
    func undone(on screen: X11Screen) -> X11Plan {
        var plan = X11Plan()
        plan.turnedOff = size == nil ? [] : set
        plan.size = size == nil ? nil : screen.size
        plan.set = screen.controllers.filter { old in set.contains { $0.identifier == old.identifier } }
        return plan
    }

    private init() {}
}
