// SPDX-License-Identifier: Apache-2.0

import Glibc
import Posix

/// The files of this machine, or of a directory tree that represents one.
struct SystemRoot {
    /// The prefix of each path; empty for this machine.
    let prefix: String
    let unread = UnreadFiles()

    static let this = SystemRoot(prefix: "")

    /// The command that runs the daemon. If it is installed in `sbin` beside this program, the path: PATH of a user may
    /// lack that folder.
    static var daemonCommand: String {
        let name = "orientationd"
        guard let tool = this.link("/proc/self/exe"), tool.hasSuffix("/bin/orientationctl") else { return name }
        let path = tool.dropLast("bin/orientationctl".count) + "sbin/" + name
        return Glibc.access(path, X_OK) == 0 ? path : name
    }

    /// The command that runs a daemon with a simulated device. Programs prefer the system's socket, if it exists.
    static func simulatingDaemon(besideSystem: Bool) -> String {
        let command = "\(daemonCommand) --sensor fake:"
        let socket = "export ORIENTATIOND_SOCKET=$XDG_RUNTIME_DIR/orientationd.sock"
        return besideSystem ? "\(socket); \(command) --socket $ORIENTATIOND_SOCKET &" : command
    }

    /// The largest part of a file to read, in bytes; the kernel's modules.alias is the largest file.
    private static let longestFile = 16 << 20
    /// The number of entries of a folder to read: `/proc` has one for each process.
    private static let longestFolder = 1 << 20

    func content(_ path: String) throws(Errno) -> String {
        String(decoding: try SmallFile.contents(prefix + path, atMost: Self.longestFile), as: UTF8.self)
    }

    /// Returns the text of a file; nil if opening or reading it fails: for most, as the user may not, which the doctor
    /// lists as not checked.
    func text(_ path: String) -> String? {
        noting(path) { () throws(Errno) in try content(path) }
    }

    /// Returns the first line of a file; nil if it is empty or cannot be read.
    func line(_ path: String) -> String? {
        let bytes = noting(path) { () throws(Errno) in try SmallFile.contents(prefix + path, atMost: 4_096) }
        let line = SmallFile.firstLine(of: (bytes ?? [])[...])
        return line.isEmpty ? nil : line
    }

    func exists(_ path: String) -> Bool { Glibc.access(prefix + path, F_OK) == 0 }

    /// Returns the sorted names in a folder; empty if opening it fails: it does not exist, or see ``isListable(_:)``.
    func entries(_ folder: String) -> [String] {
        noting(folder) { () throws(Errno) in
            try Folder.names(in: prefix + folder, atMost: Self.longestFolder)
        } ?? []
    }

    /// Returns what is read from a path; nil after an error, which ``unread`` may record.
    private func noting<Value>(_ path: String, _ read: () throws(Errno) -> Value) -> Value? {
        do throws(Errno) { return try read() } catch {
            unread.note(path, error)
            return nil
        }
    }

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

    /// Returns the path in `/sys/devices` of a folder that may be a link, without the prefix; nil if it does not exist.
    func devicePath(_ path: String) -> String? {
        guard let resolved = realPath(path), let range = resolved.firstRange(of: "/sys/devices/") else { return nil }
        return String(resolved[range.lowerBound...])
    }

    /// Returns the path with all links resolved, prefix included; nil if it does not exist.
    func realPath(_ path: String) -> String? {
        guard let resolved = realpath(prefix + path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

/// The first file that could not be read for lack of descriptors or memory, or, outside of /sys, after an error: findings may be
/// wrong. Unchecked: used on the main thread.
final class UnreadFiles: @unchecked Sendable {
    /// The path and the cause.
    private(set) var first: String?

    func note(_ path: String, _ error: Errno) {
        // A driver may return any error for an attribute in /sys.
        let isPassing =
            [EMFILE, ENFILE, ENOMEM, EINTR].contains(error.code) || error.code == EIO && !path.hasPrefix("/sys/")
        guard first == nil, isPassing else { return }
        first = "\(path): \(error)"
    }
}
