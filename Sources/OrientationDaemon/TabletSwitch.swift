// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Logging
internal import Systemd

/// The tablet switch in the hinge of a convertible: closed while the device is a tablet.
///
/// Reads only an input device that has such a switch and no keys, which is the only one that the udev rule makes readable:
/// the service must not be able to read keystrokes.
final class TabletSwitch {
    private let loop: EventLoop
    private let log: Logger
    private let queue: EventQueue
    private var devices: DeviceMonitor?
    private var node: InputNode?
    private var pendingScan: BackgroundCall<(node: InputNode?, messages: [String])>?
    /// Whether input devices changed during the pending scan.
    private var scansAgain = false
    private var source: EventSource?
    private var isTablet: Bool?

    /// Watches on `loop`, and appends ``Event/tabletMode(_:)`` to `queue` for each change.
    init(loop: EventLoop, queue: EventQueue, log: Logger) {
        self.loop = loop
        self.log = log
        self.queue = queue
        do {
            devices = try DeviceMonitor(subsystem: "input", on: loop) { [weak self] in self?.scan() }
        } catch {
            log.warning("\(error): a tablet switch connected later is not detected")
        }
        scan()
    }

    /// Scans for a device that has the switch, unless one is open already. The scan runs on another thread, because udev and
    /// input devices may block.
    private func scan() {
        guard node == nil else { return }
        guard pendingScan == nil else { return scansAgain = true }
        scansAgain = false
        do throws(SystemError) {
            pendingScan = try BackgroundCall(on: loop, InputNode.find) { [unowned self] in found($0.node, $0.messages) }
        } catch {
            log.warning("\(error): cannot scan for a tablet switch")
        }
    }

    private func found(_ node: InputNode?, _ messages: [String]) {
        pendingScan = nil
        for message in messages { log.info("\(message)") }
        guard let node else {
            if scansAgain { scan() }
            return
        }
        source = try? loop.watch(node.descriptor, for: .read) { [weak self] _ in self?.ready() }
        self.node = node
        report(node.isTablet)
    }

    private func ready() {
        guard let node else { return }
        guard node.drain() else {
            // End the watch before the descriptor is closed: the running handler keeps the source alive.
            source?.pause()
            source = nil
            self.node = nil
            report(nil)
            return scan()
        }
        report(node.isTablet)
    }

    private func report(_ new: Bool?) {
        guard new != isTablet else { return }
        isTablet = new
        queue.append(.tabletMode(new))
    }
}

/// An event node of the input subsystem, open for reading.
private nonisolated final class InputNode: Sendable {
    let descriptor: Int32

    /// SW_TABLET_MODE and EV_SW of the kernel's input-event-codes.h.
    private static let tabletMode = 1
    private static let switches: UInt = 5

    /// Opens the first device that has the switch; returns it with messages for the log.
    static func find() -> (node: InputNode?, messages: [String]) {
        let keys = ["ID_INPUT_KEYBOARD", "ID_INPUT_KEY"]
        let entries =
            (try? DeviceDatabase.devices(subsystem: "input", properties: ["ID_INPUT_SWITCH"] + keys)) ?? []
        var messages: [String] = []
        for entry in entries where entry.name.hasPrefix("event") {
            guard entry.properties["ID_INPUT_SWITCH"] == "1", keys.allSatisfy({ entry.properties[$0] != "1" }) else {
                continue
            }
            let path = "/dev/input/\(entry.name)"
            guard let node = InputNode(path: path) else {
                messages.append("cannot read the switches of \(path): \(String(cString: strerror(errno)))")
                continue
            }
            if node.hasTabletSwitch { return (node, messages + ["using the tablet switch of \(path)"]) }
        }
        return (nil, messages)
    }

    /// Opens a node; returns nil and sets `errno` on failure.
    init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        // Return before the descriptor is stored: deinit would close it and overwrite errno.
        if descriptor < 0 { return nil }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Whether EVIOCGBIT(EV_SW) lists the tablet switch.
    var hasTabletSwitch: Bool { bit(of: 0x20 + Self.switches) == true }

    /// Whether EVIOCGSW reports the switch as closed; nil on error.
    var isTablet: Bool? { bit(of: 0x1B) }

    /// Reads and discards all queued events; returns false if the device was disconnected.
    func drain() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 8) { buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                if count > 0 { continue }
                return count < 0 && (errno == EAGAIN || errno == EINTR)
            }
        }
    }

    private func bit(of command: UInt) -> Bool? {
        var bits: UInt64 = 0
        // _IOC(_IOC_READ, 'E', command, length): Swift does not import the C macro.
        let request = 2 << 30 | UInt(MemoryLayout<UInt64>.size) << 16 | 0x45 << 8 | command
        return ioctl(descriptor, request, &bits) < 0 ? nil : bits >> Self.tabletMode & 1 == 1
    }
}
