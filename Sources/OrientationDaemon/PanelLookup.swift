// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Logging
internal import Systemd

/// Looks up the connectors of the graphics cards on another thread, because the kernel holds a lock on `modes` while it
/// probes a monitor. The last result stays valid until the next one.
final class PanelLookup {
    /// The timeout of the first lookup at start, in seconds. It takes a millisecond; a monitor that is being probed must
    /// not delay the start.
    private static let longestWait = 0.5

    private let log: Logger
    private let call: RepeatedCall<[DisplayConnector]>

    /// Starts the first lookup. Each appends ``Event/connectorsRead(_:)`` to `queue`.
    init(on loop: EventLoop, queue: EventQueue, log: Logger) {
        self.log = log
        call = RepeatedCall(on: loop) {
            DisplayConnector.readAll()
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
        log.warning(
            """
            \(DisplayConnector.directory): cannot read the size of the panel: timed out after \(Self.longestWait) s; \
            starting without it
            """)
    }
}

extension DisplayConnector {
    /// The directory with a folder for each card and each connector.
    fileprivate nonisolated static let directory = "/sys/class/drm"
    /// The maximum length of an attribute that is read, in bytes.
    private nonisolated static let longestAttribute = 64

    /// Lists the connectors, and reads the modes of those that are connected; may block.
    nonisolated static func readAll() -> Result<[DisplayConnector], SystemError> {
        guard let listing = opendir(directory) else {
            // ENOENT is expected: no graphics driver is loaded.
            if errno == ENOENT { return .success([]) }
            return .failure(SystemError(operation: "list \(directory)", code: errno))
        }
        defer { closedir(listing) }
        var connectors: [DisplayConnector] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            // A card, such as card0, has no hyphen.
            if name.hasPrefix("card"), name.contains("-") { connectors.append(read(name)) }
        }
        return .success(connectors)
    }

    private nonisolated static func read(_ name: String) -> DisplayConnector {
        let isConnected = lines(of: "\(name)/status").first == "connected"
        return DisplayConnector(
            name: name, isConnected: isConnected, isEnabled: lines(of: "\(name)/enabled").first == "enabled",
            mode: isConnected ? DisplayMode.first(in: lines(of: "\(name)/modes")) : nil)
    }

    /// Reads the first lines of an attribute, without one that exceeds the maximum length; none if it is unreadable.
    private nonisolated static func lines(of attribute: String) -> [String] {
        let descriptor = open("\(directory)/\(attribute)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: longestAttribute)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return [] }
        var lines = bytes[..<count].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // The last line ends at a newline or at the end of the file, or it may be cut off.
        if count == longestAttribute { lines.removeLast() }
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }
}
