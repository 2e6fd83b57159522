// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Sensing
internal import Support

/// A folder of sysfs attributes, such as that of an IIO device.
struct SysfsFolder: Hashable {
    let path: String

    /// The most entries of a folder that are examined.
    private static let longestFolder = 1_024
    /// The longest text of an attribute, in bytes.
    private static let longestText = 256

    func has(_ attribute: String) -> Bool { access("\(path)/\(attribute)", F_OK) == 0 }

    /// Returns the text of an attribute without its line break; nil if it cannot be read.
    func text(_ attribute: String) -> String? {
        let text = SmallFile.read("\(path)/\(attribute)", atMost: Self.longestText)
        return text.map { String($0.prefix { $0 != "\n" && $0 != "\0" }) }
    }

    /// Returns a number; nil if the attribute does not exist or is not a number.
    func number(_ attribute: String) -> Double? { text(attribute).flatMap { Double(decimal: $0) } }

    /// Returns the names in the folder, in the order of their numbers: `iio:device2` precedes `iio:device10`.
    var names: [String] {
        guard let listing = opendir(path) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while names.count < Self.longestFolder, let entry = readdir(listing) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
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
        do throws(SmallFile.ReadError) {
            file = try SysfsFile(path: "\(folder.path)/\(name)")
        } catch {
            throw Self.failure("\(device): cannot open \(name)", error)
        }
    }

    /// Reads the current text.
    func read() throws(SensorFailure) -> String {
        do throws(SmallFile.ReadError) {
            return try file.read()
        } catch {
            throw Self.failure("\(device): cannot read \(name)", error)
        }
    }

    /// Reads the current value.
    func readNumber() throws(SensorFailure) -> Double {
        let text = try read()
        guard let number = Double(decimal: text) else {
            throw .failed("\(device): \(name): invalid value '\(text)': must be a number")
        }
        return number
    }

    private static func failure(_ what: String, _ error: SmallFile.ReadError) -> SensorFailure {
        let reason = "\(what): \(String(cString: strerror(error.code)))"
        return [ENOENT, ENODEV, ENXIO].contains(error.code) ? .gone(reason) : .failed(reason)
    }
}
