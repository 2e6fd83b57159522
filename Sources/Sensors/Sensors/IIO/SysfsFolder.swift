// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Posix

/// A folder of sysfs attributes, such as an IIO device's.
struct SysfsFolder {
    let path: String
    /// Keeps the failure of a read that returns nil; nil where it has the effect of absence, as for a message or a setting that
    /// need not be changed.
    private var failed: FailedRead?

    init(path: String) { self.path = path }

    /// Returns the folder with an object that keeps its first failed read.
    func noting(_ failed: FailedRead) -> SysfsFolder {
        var folder = self
        folder.failed = failed
        return folder
    }

    static let devices = SysfsFolder(path: SensorAttributes.devices)

    static func iio(_ device: String) -> SysfsFolder { SysfsFolder(path: "\(devices.path)/\(device)") }

    /// The motion events of an IIO device; libiio 0.x does not list them.
    static func events(of device: String) -> SysfsFolder { SysfsFolder(path: "\(iio(device).path)/events") }

    static func input(_ node: String) -> SysfsFolder { SysfsFolder(path: "/sys/class/input/\(node)") }

    /// Returns whether there is an attribute; true if that is unknown: reading it then fails with the reason.
    func has(_ attribute: String) -> Bool { access("\(path)/\(attribute)", F_OK) == 0 || !Errno.current.isAbsence }

    /// Returns all lines of an attribute, without the last line break.
    func lines(_ attribute: String) throws(Errno) -> String {
        let bytes = try SmallFile.contents("\(path)/\(attribute)", atMost: Self.longestLine).prefix { $0 != 0 }
        return String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes, as: UTF8.self)
    }

    /// Returns the first line of an attribute, which may be empty.
    func line(_ attribute: String) throws(Errno) -> String {
        SmallFile.firstLine(of: try SmallFile.contents("\(path)/\(attribute)", atMost: Self.longestLine)[...])
    }

    /// Returns the first line of an attribute, which may be empty; nil if there is none, or if the read fails.
    func text(_ attribute: String) -> String? { note(attribute) { () throws(Errno) in try line(attribute) } }

    /// The longest line, in bytes: the kernel limits an attribute to a page.
    private static let longestLine = 4_096

    /// Returns the name of a setting that some drivers have on the device, and others on a channel, such as `accel_x`, or on
    /// all channels of its type; nil if there is none.
    func setting(_ name: String, channel: String) -> String? {
        [name, "in_\(channel)_\(name)", "in_\(Self.kind(of: channel))_\(name)"].first(where: has)
    }

    /// The type of a channel: `accel` of `accel_x`, `proximity` of `proximity0`.
    private static func kind(of channel: String) -> Substring { channel.prefix { $0 != "_" && !$0.isNumber } }

    /// Returns a number; nil if ``text(_:)`` returns nil, or the attribute is not a number.
    func number(_ attribute: String) -> Double? { text(attribute).flatMap { Double(decimal: $0) } }

    func write(_ text: String, to attribute: String) throws(Errno) {
        try OwnedDescriptor(opening: "\(path)/\(attribute)", O_WRONLY | O_TRUNC).write(Array(text.utf8))
    }

    /// Writes a former value; returns whether the attribute has it now, or was removed.
    func restore(_ former: String, to attribute: String) -> Bool {
        // With a line break, as a shell does: without one an empty value would be no write.
        do throws(Errno) { try write("\(former)\n", to: attribute) } catch {
            return error.isRemoval || text(attribute) == former
        }
        return true
    }

    /// The path without links; nil if it does not exist.
    var resolved: String? {
        note(path) { () throws(Errno) in
            guard let path = realpath(path, nil) else { throw .current }
            defer { free(path) }
            return String(cString: path)
        }
    }

    /// Returns the last component of a link's target: for `driver`, the name of the driver; nil if it is no link.
    func linkName(_ path: String) -> String? {
        note(path) { () throws(Errno) in
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(path, &buffer, buffer.count - 1)
            guard count > 0 else { throw .current }
            return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        }?.split(separator: "/").last.map(String.init)
    }

    /// Returns the first line of a file for this device; nil if it is empty.
    func line(at path: String) -> String? {
        note(path) { () throws(Errno) in
            SmallFile.firstLine(of: try SmallFile.contents(path, atMost: Self.longestLine)[...])
        }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the names in a folder for this device.
    func names(at path: String) -> [String] { note(path) { () throws(Errno) in try Folder.names(in: path) } ?? [] }

    private func note<Value>(_ file: String, _ call: () throws(Errno) -> Value) -> Value? {
        do throws(Errno) { return try call() } catch {
            if let failed, failed.failure == nil, !error.isAbsence {
                let device = path.split(separator: "/").last ?? ""
                failed.failure = .failed("\(device): cannot read \(file): \(error)")
            }
            return nil
        }
    }

    /// Returns the names in the folder, in the order of their numbers: `iio:device2` precedes `iio:device10`; none without the
    /// folder.
    func names() throws(SensorFailure) -> [String] {
        do throws(Errno) { return try Folder.names(in: path).sortedByNumber(\.self) } catch {
            if error.isAbsence { return [] }
            throw .failed("cannot list \(path): \(error)")
        }
    }
}

/// The first read that failed although there may be a file. A rule takes it for absent: what follows must not be used.
///
/// Unchecked: an object is used for one scan, on one thread.
final class FailedRead: @unchecked Sendable {
    fileprivate(set) var failure: SensorFailure?

    func check() throws(SensorFailure) { if let failure { throw failure } }
}

extension SensorAttributes {
    /// Adds what sysfs states about the devices above a sensor, and about the machine.
    mutating func addSurroundings(of folder: SysfsFolder) {
        addSurroundings(
            path: folder.resolved, line: folder.line(at:), names: folder.names(at:), linkName: folder.linkName)
    }
}

/// An open attribute of a device: a reading costs one system call.
final class SysfsAttribute {
    let name: String
    /// The name of the device in failures.
    private let device: String
    private let file: SysfsFile

    /// Opens the attribute `name` in a folder.
    init(_ name: String, in folder: SysfsFolder, of device: String) throws(SensorFailure) {
        self.name = name
        self.device = device
        do throws(Errno) {
            file = try SysfsFile(path: "\(folder.path)/\(name)")
        } catch {
            throw Self.failure("\(device): cannot open \(name)", error)
        }
    }

    /// Reads the current text.
    func read() throws(SensorFailure) -> String {
        do throws(Errno) {
            return try file.read()
        } catch {
            throw Self.failure("\(device): cannot read \(name)", error)
        }
    }

    /// Reads the current value.
    func readNumber() throws(SensorFailure) -> Double {
        let text = try read()
        guard let number = SysfsFile.number(in: text) else {
            throw .failed("\(device): \(name): invalid value '\(text)': must be a number")
        }
        return number
    }

    private static func failure(_ what: String, _ error: Errno) -> SensorFailure {
        let reason = "\(what): \(error)"
        return error.isRemoval ? .gone(reason) : .failed(reason)
    }
}
