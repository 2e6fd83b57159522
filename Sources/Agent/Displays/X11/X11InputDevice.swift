// SPDX-License-Identifier: Apache-2.0

/// An input device of XInput whose positions are absolute: a touch screen or a pen.
struct X11InputDevice: Hashable, Sendable {
    let identifier: UInt16
    let name: String
}

extension X11InputDevice {
    /// The device types of XIQueryDevice: a pointer that moves a master pointer, and one that moves none. Master pointers
    /// have the classes of the device that moved them last.
    private static let slavePointer: UInt16 = 3
    private static let floating: UInt16 = 5
    /// The class types.
    private static let valuator: UInt16 = 2
    private static let touch: UInt16 = 8
    /// The modes of a valuator and of a touch class.
    private static let absolute: UInt8 = 1
    private static let direct: UInt8 = 1

    /// Parses the device list of a reply to XIQueryDevice, and returns the absolute devices. Stops at the end of the bytes.
    ///
    /// A touch screen has direct touches. A pen, and a touch screen that reports one finger as a pointer, have absolute
    /// coordinates. Mice and touchpads have neither.
    static func all(in reader: inout X11Reader, count: Int) -> [X11InputDevice] {
        var devices: [X11InputDevice] = []
        for _ in 0..<count {
            guard let identifier = reader.read(UInt16.self), let type = reader.read(UInt16.self), reader.skip(2),
                let classes = reader.read(UInt16.self), let length = reader.read(UInt16.self), reader.skip(2),
                let name = reader.readBytes(Int(length)), reader.skip((4 - Int(length) % 4) % 4)
            else { break }
            var isAbsolute = false
            for _ in 0..<classes {
                guard let kind = reader.read(UInt16.self), let words = reader.read(UInt16.self), words >= 1,
                    let body = reader.readBytes(Int(words) * 4 - 4)
                else { return devices }
                // After the source device: the mode of a touch class; the number of a valuator, and after its label, its
                // limits, value and resolution its mode.
                switch kind {
                case touch where body.count >= 3: isAbsolute = isAbsolute || body[2] == direct
                case valuator where body.count >= 37:
                    // Of x and y: other valuators of a mouse may be absolute.
                    let number = body.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self) }
                    if number < 2, body[36] == absolute { isAbsolute = true }
                default: break
                }
            }
            if isAbsolute, type == slavePointer || type == floating {
                devices.append(X11InputDevice(identifier: identifier, name: String(decoding: name, as: UTF8.self)))
            }
        }
        return devices
    }
}
