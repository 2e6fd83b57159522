// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The files of a machine: this one's, or those of a tree in the place of it.
struct SystemRoot {
    /// What stands before each path; empty for this machine.
    let prefix: String

    static let this = SystemRoot(prefix: "")

    /// More than any file that is read has, in bytes: the largest is the kernel's table of aliases.
    private static let longestFile = 16 << 20

    /// What a file holds, or why it cannot be read.
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
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < Self.longestFile {
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return .failed(errno) }
            if count == 0 { break }
            bytes += piece[..<count]
        }
        return .text(String(decoding: bytes, as: UTF8.self))
    }

    /// A file's text; nil where it cannot be read.
    func text(_ path: String) -> String? { content(path).text }

    /// The first line of a file, for attributes that are one value; nil where it is empty.
    func line(_ path: String) -> String? {
        let line = text(path)?.prefix { !$0.isNewline && $0 != "\0" } ?? ""
        return line.isEmpty ? nil : String(line)
    }

    func exists(_ path: String) -> Bool { Glibc.access(prefix + path, F_OK) == 0 }

    /// The names in a folder, sorted; none where it is not there.
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

    /// Whether the folder's entries can be listed.
    func isListable(_ folder: String) -> Bool { Glibc.access(prefix + folder, R_OK | X_OK) == 0 }

    /// Where a link points; nil where it is none, or cannot be read.
    func link(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(prefix + path, &buffer, buffer.count - 1)
        return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    /// The last part of where a link points: for `driver` the driver's name.
    func linkName(_ path: String) -> String? {
        link(path)?.split(separator: "/").last.map(String.init)
    }

    /// What a path is; nil where there is nothing.
    func status(_ path: String) -> stat? {
        var status = stat()
        return stat(prefix + path, &status) == 0 ? status : nil
    }

    /// Where a path really is, without a link in it and wherever the tree is; nil where there is nothing.
    func realPath(_ path: String) -> String? {
        guard let resolved = realpath(prefix + path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
