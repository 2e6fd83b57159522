// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Logging
internal import Systemd

/// Reads the connectors of the graphics cards on another thread, because the kernel holds a lock on `modes` while it
/// probes a monitor. The last result stays valid until the next one.
final class PanelLookup {
    /// The timeout of the first reading at start, in seconds. It takes a millisecond; a monitor that is being probed must
    /// not delay the start.
    private static let longestWait = 0.5

    private let loop: EventLoop
    private let queue: EventQueue
    private let log: Logger
    private var call: BackgroundCall<Answer>?
    private var startsAgain = false

    enum Answer: Sendable {
        case connectors([DisplayConnector])
        case failed(SystemError)
    }

    /// Starts the first reading. Each appends ``Event/connectorsRead(_:)`` to `queue`.
    init(on loop: EventLoop, queue: EventQueue, log: Logger) {
        self.loop = loop
        self.queue = queue
        self.log = log
        start()
    }

    /// Reads the connectors again.
    func start() {
        guard call == nil else { return startsAgain = true }
        startsAgain = false
        do throws(SystemError) {
            call = try BackgroundCall(on: loop) {
                DisplayConnector.readAll()
            } done: { [unowned self] in
                take($0)
            }
        } catch {
            log.warning("\(error): cannot read the size of the panel")
        }
    }

    /// Waits for the first result, before the loop runs.
    func wait() {
        call?.wait(seconds: Self.longestWait)
    }

    private func take(_ answer: Answer) {
        call = nil
        switch answer {
        case .connectors(let connectors): queue.append(.connectorsRead(connectors))
        case .failed(let error): log.warning("\(error); keeping the last size of the panel")
        }
        if startsAgain { start() }
    }
}

extension DisplayConnector {
    /// The directory with a folder for each card and each connector.
    private nonisolated static let directory = "/sys/class/drm"
    /// The length of a mode, `16384x16384i`, and of a status is less, in bytes.
    private nonisolated static let longestLine = 64

    /// Lists the connectors, and reads the modes of those that are connected; may block.
    nonisolated static func readAll() -> PanelLookup.Answer {
        guard let listing = opendir(directory) else {
            // ENOENT is expected: no graphics driver is loaded.
            if errno == ENOENT { return .connectors([]) }
            return .failed(SystemError(operation: "list \(directory)", code: errno))
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
        return .connectors(connectors)
    }

    private nonisolated static func read(_ name: String) -> DisplayConnector {
        let isConnected = line(of: "\(name)/status") == "connected"
        return DisplayConnector(
            name: name, isConnected: isConnected, isEnabled: line(of: "\(name)/enabled") == "enabled",
            mode: isConnected ? line(of: "\(name)/modes") : nil)
    }

    /// Reads the first line of an attribute; nil if it is empty or unreadable.
    private nonisolated static func line(of attribute: String) -> String? {
        let descriptor = open("\(directory)/\(attribute)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: longestLine)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}
