// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The files of this machine, or of a directory tree that represents one.
struct SystemRoot {
    /// The prefix of each path; empty for this machine.
    let prefix: String

    static let this = SystemRoot(prefix: "")

    /// The largest part of a file to read, in bytes; the kernel's modules.alias is the largest file.
    private static let longestFile = 16 << 20

    /// The content of a file, or the error number.
    enum Content {
        case text(String)
        case failed(Int32)

        var text: String? { if case .text(let text) = self { text } else { nil } }
    }

    func content(_ path: String) -> Content {
        let descriptor = open(prefix + path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return .failed(errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < Self.longestFile {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return .failed(errno) }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return .text(String(decoding: bytes, as: UTF8.self))
    }

    /// Returns the text of a file; nil if it cannot be read.
    func text(_ path: String) -> String? { content(path).text }

    /// Returns the first line of a file; nil if it is empty or cannot be read.
    func line(_ path: String) -> String? {
        let line = text(path)?.prefix { !$0.isNewline && $0 != "\0" } ?? ""
        return line.isEmpty ? nil : String(line)
    }

    func exists(_ path: String) -> Bool { Glibc.access(prefix + path, F_OK) == 0 }

    /// Returns the sorted names in a folder; empty if the folder does not exist.
    func entries(_ folder: String) -> [String] {
        guard let stream = opendir(prefix + folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Whether the folder can be listed.
    func isListable(_ folder: String) -> Bool { Glibc.access(prefix + folder, R_OK | X_OK) == 0 }

    /// Returns the target of a symbolic link; nil if the path is not one.
    func link(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(prefix + path, &buffer, buffer.count - 1)
        return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    /// Returns the last component of a link's target: for `driver`, the name of the driver.
    func linkName(_ path: String) -> String? {
        link(path)?.split(separator: "/").last.map(String.init)
    }

    /// Returns the result of stat(2); nil if it fails.
    func status(_ path: String) -> stat? {
        var status = stat()
        return stat(prefix + path, &status) == 0 ? status : nil
    }

    /// Returns the path with all links resolved, prefix included; nil if it does not exist.
    func realPath(_ path: String) -> String? {
        guard let resolved = realpath(prefix + path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
