// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc
internal import Posix

/// The file of a recording, or standard input, read without blocking.
final class RecordingFile {
    private let file: OwnedDescriptor
    var descriptor: Int32 { file.number }
    /// The name for messages.
    let name: String

    /// The result of a read.
    enum Chunk {
        case bytes([UInt8])
        case nothingYet
        /// A pipe without a writer: poll again later, since poll(2) does not report a first writer.
        case noWriterYet
        case end
    }

    /// The size of one read, in bytes.
    private static let chunkSize = 16 * 1024
    /// The interval for checking a pipe for a writer, in seconds.
    static let writerPollInterval = 0.2

    private var isNamedPipe = false
    private var hasRead = false

    /// Opens the file at `path`, or standard input for `-`.
    init(path: String) throws(SensorFailure) {
        name = path == "-" ? "standard input" : path
        do throws(Errno) { file = try OwnedDescriptor(input: path, O_NONBLOCK) } catch {
            let message = "cannot open \(name): \(error)"
            throw error.code == ENOENT ? .noDevice(message) : .unusable(message)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("inspect") }
        if status.st_mode & S_IFMT == S_IFDIR { throw .unusable("\(name): is a directory, not a recording") }
        isNamedPipe = status.st_mode & S_IFMT == S_IFIFO && path != "-"
    }

    /// Whether the file is seekable.
    var canRewind: Bool { lseek(descriptor, 0, SEEK_CUR) >= 0 }

    func rewind() throws(SensorFailure) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw failure("rewind") }
    }

    func read() throws(SensorFailure) -> Chunk {
        // Poll first: standard input may be shared with the parent process and must not be made non-blocking.
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, 0) != 0 else { return isNamedPipe && !hasRead ? .noWriterYet : .nothingYet }
        let descriptor = descriptor
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, filled in
            count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            filled = max(count, 0)
        }
        if count > 0 {
            hasRead = true
            return .bytes(bytes)
        }
        if count == 0 { return isNamedPipe && !hasRead ? .noWriterYet : .end }
        if errno == EAGAIN || errno == EINTR { return .nothingYet }
        throw failure("read")
    }

    private func failure(_ operation: String) -> SensorFailure {
        .failed("cannot \(operation) \(name): \(Errno.current)")
    }
}
