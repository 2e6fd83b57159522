// SPDX-License-Identifier: Apache-2.0

/// The touch screens and pens of an X server, each with the matrix that maps it to an output: a value without I/O.
///
/// A device belongs to the internal panel, with two exceptions while several outputs are on: it was mapped to another
/// output when it was first seen, or udev knows its size, and that is the size of another panel and not of this one. Such
/// a device follows that other output. A matrix that another program sets later is replaced at the next rotation.
struct X11DeviceMap: Sendable {
    private var devices: [UInt16: Mapped] = [:]

    private struct Mapped {
        let device: X11InputDevice
        /// The correction that was found in its matrix; applied before the mapping.
        let calibration: TouchMatrix
        /// The outputs whose matrix it had when it was first seen.
        let formerOutputs: Set<String>
        /// The size in millimeters, if udev knows it.
        let millimeters: LayoutSize?
        var matrix: TouchMatrix
    }

    /// Replaces the devices by those that the server lists, with the matrices that they have; keeps what else is known of
    /// devices that remain. `millimeters` reads the size of a new device, nil if it is unknown.
    ///
    /// The X server gives a device that is connected again its former number, and the matrix that it has at the start.
    mutating func update(
        _ found: [(device: X11InputDevice, matrix: TouchMatrix)], on screen: X11Screen,
        millimeters: (X11InputDevice) throws(X11Failure) -> LayoutSize?
    ) throws(X11Failure) {
        var new: [UInt16: Mapped] = [:]
        for (device, matrix) in found {
            if var known = devices[device.identifier], known.device == device {
                known.matrix = matrix
                new[device.identifier] = known
            } else {
                new[device.identifier] = Mapped(
                    device: device, calibration: matrix.isCalibration ? matrix : .identity,
                    formerOutputs: screen.outputNames(with: matrix), millimeters: try millimeters(device),
                    matrix: matrix)
            }
        }
        devices = new
    }

    /// Returns the matrices that make each device follow its output: the panel with this name, or the other one that it
    /// belongs to.
    func changes(to panel: String, on screen: X11Screen) -> [(identifier: UInt16, matrix: TouchMatrix)] {
        devices.compactMap { identifier, device in
            let output = screen.outputName(
                ofDeviceFirstAt: device.formerOutputs, millimeters: device.millimeters, panel: panel)
            guard let matrix = screen.matrix(of: output).map({ $0 * device.calibration }),
                !matrix.isNear(device.matrix, tolerance: 0)
            else { return nil }
            return (identifier, matrix)
        }
    }

    /// The server has this matrix now.
    mutating func wasSet(_ matrix: TouchMatrix, of identifier: UInt16) { devices[identifier]?.matrix = matrix }

    /// The server has no such device any more.
    mutating func wasRemoved(_ identifier: UInt16) { devices[identifier] = nil }
}

/// The outputs of input devices.
extension X11Screen {
    /// The greatest relative difference between the sizes of a panel and of its touch screen.
    private static let sizeTolerance = 0.15

    private var enabledNames: [String] {
        connectors.filter { controller(of: $0) != nil }.map(\.name)
    }

    /// The matrix of a device on the panel of an output; nil while the output is off.
    func matrix(of name: String) -> TouchMatrix? {
        controller(named: name).map { TouchMatrix($0.rotation.transform, in: $0.rectangle, of: size) }
    }

    func outputNames(with matrix: TouchMatrix) -> Set<String> {
        Set(enabledNames.filter { self.matrix(of: $0)?.isNear(matrix) == true })
    }

    /// Returns the output that a device belongs to: the panel, with the exceptions of ``X11DeviceMap``. `former` are the
    /// outputs that it was mapped to when it was first seen; `millimeters` is its size, nil if unknown.
    func outputName(ofDeviceFirstAt former: Set<String>, millimeters: LayoutSize?, panel: String) -> String {
        guard !former.contains(panel) else { return panel }
        let others = enabledNames.filter { $0 != panel }
        if let other = others.first(where: former.contains) { return other }
        guard let millimeters, hasSize(millimeters, panel) == false else { return panel }
        return others.first { hasSize(millimeters, $0) == true } ?? panel
    }

    /// Whether the panel of an output has about this size; nil if its size is unknown.
    private func hasSize(_ size: LayoutSize, _ name: String) -> Bool? {
        guard let panel = connectors.first(where: { $0.name == name })?.millimeters, panel.width > 0, panel.height > 0
        else { return nil }
        func isNear(_ first: Int, _ second: Int) -> Bool {
            abs(Double(first) - Double(second)) <= Self.sizeTolerance * Double(second)
        }
        // A touch screen may be mounted turned.
        return (isNear(size.width, panel.width) && isNear(size.height, panel.height))
            || (isNear(size.width, panel.height) && isNear(size.height, panel.width))
    }
}
