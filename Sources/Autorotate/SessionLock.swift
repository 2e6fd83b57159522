// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import Glibc

/// A lock that a session's agent holds while it runs: an `flock` on a file in `$XDG_RUNTIME_DIR/orientation-autorotate`,
/// which the kernel releases when the process ends. The file contains the process id.
nonisolated struct SessionLock: ~Copyable {
    private let descriptor: Int32

    /// Why the lock cannot be taken.
    enum Failure: Error, Hashable, CustomStringConvertible {
        /// Another agent holds it.
        case held(by: String, display: String)
        case unusable(String)

        var description: String {
            switch self {
            case .held(let process, let display):
                "another orientation-autorotate (process \(process)) rotates the display \(display); stop it first"
            case .unusable(let reason): reason
            }
        }
    }

    /// Takes the lock of the session that the environment describes.
    ///
    /// - Throws: ``Failure``.
    init(environment: [String: String]) throws(Failure) {
        guard let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty else {
            throw .unusable("XDG_RUNTIME_DIR is not set; start orientation-autorotate in a graphical session")
        }
        let names = ["WAYLAND_DISPLAY", "DISPLAY"].compactMap { environment[$0] }.filter { !$0.isEmpty }
        try self.init(display: names.first ?? "none", in: folder)
    }

    /// Takes the lock of a display server.
    ///
    /// - Parameters:
    ///   - display: its name, from `WAYLAND_DISPLAY` or `DISPLAY`.
    ///   - folder: `$XDG_RUNTIME_DIR`.
    /// - Throws: ``Failure``.
    init(display: String, in folder: String) throws(Failure) {
        descriptor = try Self.take(display, in: folder + "/orientation-autorotate")
        ftruncate(descriptor, 0)
        let text = "\(getpid())\n"
        _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
    }

    /// Opens and locks the file of a display server.
    private static func take(_ display: String, in directory: String) throws(Failure) -> Int32 {
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw current("\(directory): cannot create") }
        // A name may be a path.
        let name = String(display.map { $0 == "/" ? "_" : $0 })
        let path = "\(directory)/\(name).lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw current("\(path): cannot open") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let failure =
                errno == EWOULDBLOCK
                ? Failure.held(by: read(descriptor), display: display) : current("\(path): cannot lock")
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    /// Returns the process id of the agent that holds the lock of this session; nil without one.
    static func holder() -> String? {
        do {
            _ = try SessionLock(environment: DisplaySession.environmentOfProcess)
        } catch .held(let process, _) {
            return process
        } catch {}
        return nil
    }

    deinit {
        // The file stays: removing it would race with the start of another agent.
        close(descriptor)
    }

    private static func current(_ what: String) -> Failure {
        .unusable("\(what): \(String(cString: strerror(errno)))")
    }

    /// Returns the process id in the file; `?` if there is none.
    private static func read(_ descriptor: Int32) -> String {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { buffer in
            let count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
            let digits = buffer.prefix(count).prefix { (0x30...0x39).contains($0) }
            return digits.isEmpty ? "?" : String(decoding: digits, as: UTF8.self)
        }
    }
}
