// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Posix
internal import Systemd

/// Looks up the connectors of the graphics cards on another thread, because the kernel holds a lock on `modes` while it
/// probes a monitor. The last result stays valid until the next one.
final class PanelLookup {
    /// The timeout of the first lookup at start, in seconds. It takes a millisecond; a monitor that is being probed must
    /// not delay the start.
    private static let longestWait = 0.5

    private let log: Logger
    private let queue: EventQueue
    private let directory: String
    private let call: RepeatedCall<[DisplayConnector]>

    /// Starts the first lookup. Each appends ``Event/connectorsRead(_:)`` to `queue`. `read` reads a file of the directory.
    init(
        on loop: EventLoop, queue: EventQueue, log: Logger, directory: String = DisplayConnector.directory,
        read: @escaping DisplayConnector.Reader = DisplayConnector.readAttribute
    ) {
        self.log = log
        self.queue = queue
        self.directory = directory
        call = RepeatedCall(on: loop) {
            DisplayConnector.readAll(in: directory, read)
        } done: { outcome in
            switch outcome {
            case .success(let connectors): queue.append(.connectorsRead(connectors))
            case .failure(let error): log.warning("\(error); keeping the last size of the panel")
            }
        }
        call.start()
    }

    /// Looks the connectors up again.
    func start() { call.start() }

    /// Waits for the first result, before the loop runs.
    func wait() {
        guard !call.wait(seconds: Self.longestWait) else { return }
        log.warning("\(directory): timed out: no modes read within \(Self.longestWait) s; starting without them")
    }
}

extension DisplayConnector {
    /// The directory with a folder for each card and each connector.
    static let directory = "/sys/class/drm"
    /// The maximum length of an attribute that is read, in bytes.
    private static let longestAttribute = 64

    /// Returns the beginning of a file's text. May block.
    typealias Reader = @Sendable (_ path: String) throws(Errno) -> String
    static let readAttribute: Reader = { path throws(Errno) in
        String(decoding: try SmallFile.contents(path, atMost: longestAttribute), as: UTF8.self)
    }

    /// Lists the connectors, and reads the modes of those that are connected, but beside a panel only of panels: the kernel
    /// probes a monitor for seconds. May block.
    static func readAll(
        in directory: String, _ read: Reader = readAttribute
    ) -> Result<[DisplayConnector], SystemError> {
        do throws(Errno) {
            // A card, such as card0, has no hyphen.
            let names = try Folder.names(in: directory).filter { $0.hasPrefix("card") && $0.contains("-") }
            var connectors = try names.map { name throws(Errno) in try connector(name, in: directory, read) }
            connectors.sort { ($0.isInternal ? 0 : 1, $0.name) < ($1.isInternal ? 0 : 1, $1.name) }
            for index in connectors.indices where connectors[index].isConnected {
                let isPanelKnown = connectors.contains { $0.isInternal && $0.mode != nil }
                if isPanelKnown, !connectors[index].isInternal { break }
                let modes = try lines(of: "\(directory)/\(connectors[index].name)/modes", read)
                connectors[index].mode = modes.compactMap { DisplayMode($0) }.first
            }
            return .success(connectors)
        } catch {
            // ENOENT is expected: no graphics driver is loaded.
            if error.isAbsence { return .success([]) }
            return .failure(SystemError(operation: "read \(directory)", code: error.code))
        }
    }

    /// Reads a connector without its modes: the kernel holds no lock on the other attributes.
    private static func connector(
        _ name: String, in directory: String, _ read: Reader
    ) throws(Errno) -> DisplayConnector {
        DisplayConnector(
            name: name, isConnected: try lines(of: "\(directory)/\(name)/status", read).first == "connected",
            isEnabled: try lines(of: "\(directory)/\(name)/enabled", read).first == "enabled", mode: nil)
    }

    /// Reads the first lines of a file, without one that exceeds the maximum length; none without a file: the connector
    /// was removed.
    private static func lines(of path: String, _ read: Reader) throws(Errno) -> [String] {
        let text: String
        do throws(Errno) { text = try read(path) } catch {
            if error.isAbsence { return [] }
            throw error
        }
        if text.isEmpty { return [] }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // The last line ends at a newline or at the end of the file, or it may be cut off.
        if text.utf8.count >= longestAttribute { lines.removeLast() }
        return lines
    }
}
