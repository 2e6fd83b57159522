// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Sensing
internal import Support

/// A folder of sysfs attributes, such as that of an IIO device.
struct SysfsFolder: Hashable {
    let path: String

    /// The most entries of a folder that are examined.
    private static let longestFolder = 1_024

    func has(_ attribute: String) -> Bool { access("\(path)/\(attribute)", F_OK) == 0 }

    /// Returns the text of an attribute without its line break; nil if it cannot be read.
    func text(_ attribute: String) -> String? {
        guard let file = try? SysfsFile(path: "\(path)/\(attribute)") else { return nil }
        return try? file.read()
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
        do throws(SysfsFile.Failure) {
            file = try SysfsFile(path: "\(folder.path)/\(name)")
        } catch {
            throw Self.failure("\(device): cannot open \(name)", error)
        }
    }

    /// Reads the current text.
    func read() throws(SensorFailure) -> String {
        do throws(SysfsFile.Failure) {
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

    private static func failure(_ what: String, _ error: SysfsFile.Failure) -> SensorFailure {
        let reason = "\(what): \(String(cString: strerror(error.code)))"
        return [ENOENT, ENODEV, ENXIO].contains(error.code) ? .gone(reason) : .failed(reason)
    }
}

/// An open sysfs file. Owns the descriptor.
struct SysfsFile: ~Copyable {
    private let descriptor: Int32

    /// An errno; EINVAL for a file that is not regular.
    struct Failure: Error {
        let code: Int32
    }

    /// The longest text that is read, in bytes.
    private static let longest = 256

    init(path: String) throws(Failure) {
        // O_NONBLOCK: opening a FIFO does not block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Failure(code: EINVAL)
        }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Reads the current text without its line break. One pread(2) at offset 0 returns all of it.
    func read() throws(Failure) -> String {
        // In Swift 6.2 this function has no typed throws.
        let text: Result<String, Failure> = withUnsafeTemporaryAllocation(byteCount: Self.longest, alignment: 1) {
            buffer in
            let count = pread(descriptor, buffer.baseAddress, buffer.count, 0)
            guard count >= 0 else { return .failure(Failure(code: errno)) }
            let line = buffer.prefix(count).prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }
            return .success(String(decoding: line, as: UTF8.self))
        }
        return try text.get()
    }
}
