// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import Glibc
internal import OrientationWire
internal import Posix
internal import Varlink

/// A lock that a session's agent holds while it runs, on a file in `$XDG_RUNTIME_DIR/orientation-autorotate`: a lock of the
/// open file description (fcntl(2)), which no other close of the file releases, and which ends with the process. The kernel
/// names no holder of such a lock: a record lock on the second byte does. The file stays: removing it would race with the start
/// of another agent.
struct SessionLock: ~Copyable {
    private let file: OwnedDescriptor
    /// Identifies the display server: a restore record of an earlier one is invalid.
    private let server: String

    /// Why the lock cannot be taken.
    enum Failure: Error, Hashable, CustomStringConvertible {
        /// Another agent holds it; its process id, if it is visible here.
        case held(by: Int32?, display: String)
        case unusable(String)

        var description: String {
            switch self {
            case .held(let process, let display):
                "another orientation-autorotate\(process.map { " (process \($0))" } ?? "") rotates the display "
                    + "\(display); stop it with 'systemctl --user stop orientation-autorotate'"
                    + (process.map { ", or with 'kill \($0)' if it is not that unit" } ?? "")
            case .unusable(let reason): reason
            }
        }
    }

    /// Takes the lock of the session that the environment describes.
    ///
    /// - Throws: ``Failure``.
    init(environment: [String: String]) throws(Failure) {
        guard let session = SessionName(environment) else {
            throw .unusable(
                "\(Environment.noRuntimeDirectory): no directory for the lock; set it to a directory of this user, such as "
                    + "/run/user/\(getuid())")
        }
        let server = session.server
        let file = try Self.take(session)
        self.server = server
        self.file = file
    }

    /// Opens and locks the file of a session.
    private static func take(_ session: SessionName) throws(Failure) -> OwnedDescriptor {
        guard mkdir(session.directory, 0o700) == 0 || errno == EEXIST else {
            throw .unusable(
                "XDG_RUNTIME_DIR=\(session.folder): cannot create orientation-autorotate in it: \(Errno.current); "
                    + "set it to a directory of this user, such as /run/user/\(getuid())")
        }
        let file: OwnedDescriptor
        do throws(Errno) {
            file = try SmallFile.open(session.path, flags: O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        } catch {
            throw .unusable("\(session.path): cannot open: \(error)")
        }
        var lock = byte(0)
        guard fcntl(file.number, setDescriptionLock, &lock) == 0 else {
            throw errno == EAGAIN || errno == EACCES
                ? .held(by: holder(of: file), display: session.display)
                : .unusable("\(session.path): cannot lock: \(Errno.current)")
        }
        var holder = byte(1)
        _ = fcntl(file.number, F_SETLK, &holder)
        return file
    }

    /// The maximum size of a restore record, in bytes.
    private static let longestRecord = 512

    /// Returns the restore record of an earlier agent on this display server, which crashed; nil without one.
    func restoreRecord() -> String? {
        var bytes = [UInt8](repeating: 0, count: Self.longestRecord)
        let count = pread(file.number, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n", maxSplits: 1)
        return lines.count == 2 && lines[0] == server ? String(lines[1]) : nil
    }

    /// Replaces the restore record; an empty one removes it. Returns 0, or the errno of a failure.
    func writeRestoreRecord(_ text: String) -> Int32 {
        guard ftruncate(file.number, 0) == 0 else { return errno }
        guard !text.isEmpty else { return 0 }
        let bytes = Array("\(server)\n\(text)".utf8.prefix(Self.longestRecord))
        let count = pwrite(file.number, bytes, bytes.count, 0)
        return count == bytes.count ? 0 : count < 0 ? errno : ENOSPC
    }

    /// Returns the process id of the agent of this session; nil without one. Takes no lock.
    static func holder(environment: [String: String] = Environment.values) -> Int32? {
        guard let session = SessionName(environment) else { return nil }
        // Opening fails without an agent of this user.
        guard let file = try? SmallFile.open(session.path, flags: O_NOFOLLOW) else { return nil }
        return holder(of: file)
    }

    private static func holder(of file: borrowing OwnedDescriptor) -> Int32? {
        var lock = byte(1)
        guard fcntl(file.number, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK), lock.l_pid > 0 else { return nil }
        return lock.l_pid
    }

    private static func byte(_ start: off_t) -> Glibc.flock {
        Glibc.flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: start, l_len: 1, l_pid: 0)
    }

    /// F_OFD_SETLK, which Swift's Glibc lacks.
    private static let setDescriptionLock: Int32 = 37
}

/// The name of a session's display, and the file of its lock.
struct SessionName: Equatable {
    let display: String
    /// `XDG_RUNTIME_DIR`.
    let folder: String
    var directory: String { DisplayInterface.folder(in: folder) }
    /// The socket of the display server.
    private let socket: String
    /// Identifies the running display server by its socket, which a new one creates again; `unknown` without a socket,
    /// as for an X server on another machine.
    let server: String

    /// Names the session that the environment describes; nil without `XDG_RUNTIME_DIR`. Different spellings of one display
    /// have one name.
    init?(_ environment: [String: String]) {
        guard let folder = environment["XDG_RUNTIME_DIR"] else { return nil }
        self.folder = folder
        if let name = environment["WAYLAND_DISPLAY"] {
            display = name.hasPrefix(folder + "/") ? String(name.dropFirst(folder.count + 1)) : name
            socket = name.hasPrefix("/") ? name : "\(folder)/\(name)"
        } else if let name = environment["DISPLAY"] {
            // `:0.0` is the first screen of `:0`.
            let colon = name.lastIndex(of: ":") ?? name.startIndex
            let dot = name[colon...].firstIndex(of: ".") ?? name.endIndex
            display = String(name[..<dot])
            socket = colon == name.startIndex ? "/tmp/.X11-unix/X\(name[colon..<dot].dropFirst())" : ""
        } else {
            (display, socket) = ("none", "")
        }
        server = Self.identity(of: socket)
    }

    private static func identity(of socket: String) -> String {
        var status = stat()
        guard stat(socket, &status) == 0 else { return "unknown" }
        return "\(status.st_dev) \(status.st_ino) \(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)"
    }

    /// Whether the same server accepts connections; false for one without a socket here.
    var isServed: Bool {
        guard server == Self.identity(of: socket) else { return false }
        do throws(SocketError) { _ = try StreamSocket.connect(to: socket) } catch {
            return ![.notServed(path: socket), .pathUnusable(path: socket)].contains(error)
        }
        return true
    }

    /// The path of the lock. A display may be a path.
    var path: String { "\(directory)/\(String(display.map { $0 == "/" ? "_" : $0 })).lock" }
}
