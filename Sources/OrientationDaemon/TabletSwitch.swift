// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Logging
internal import Systemd

/// The hinge's switch of a convertible, as the kernel reports it: closed while the device is a tablet.
///
/// It reads the one input device that has such a switch and no keys, to which udev's rule lets it: an all-day service
/// has no business where keystrokes can be read.
final class TabletSwitch {
    private let loop: EventLoop
    private let log: Logger
    private let queue: EventQueue
    private var devices: DeviceMonitor?
    private var node: InputNode?
    private var search: BackgroundCall<(node: InputNode?, remarks: [String])>?
    /// Input devices came or went while a search was under way.
    private var searchesAgain = false
    private var source: EventSource?
    private var isTablet: Bool?

    /// Watches on `loop`, and appends ``Event/tabletMode(_:)`` to `queue` for each change.
    init(loop: EventLoop, queue: EventQueue, log: Logger) {
        self.loop = loop
        self.log = log
        self.queue = queue
        do {
            devices = try DeviceMonitor(subsystem: "input", on: loop) { [weak self] in self?.look() }
        } catch {
            log.warning("\(error): a tablet switch that appears later is not seen")
        }
        look()
    }

    /// Searches for a device that has the switch, unless one is open already. Asking udev and opening input devices may
    /// block: it is done on another thread.
    private func look() {
        guard node == nil else { return }
        guard search == nil else { return searchesAgain = true }
        searchesAgain = false
        do throws(SystemError) {
            search = try BackgroundCall(on: loop, InputNode.find) { [unowned self] in found($0.node, $0.remarks) }
        } catch {
            log.warning("\(error): the tablet switch is not searched for")
        }
    }

    private func found(_ node: InputNode?, _ remarks: [String]) {
        search = nil
        for remark in remarks { log.info("\(remark)") }
        guard let node else {
            if searchesAgain { look() }
            return
        }
        source = try? loop.watch(node.descriptor, for: .read) { [weak self] _ in self?.ready() }
        self.node = node
        report(node.isTablet)
    }

    private func ready() {
        guard let node else { return }
        guard node.drain() else {
            // This may be its handler, which keeps it: the watch ends before the descriptor is closed.
            source?.pause()
            source = nil
            self.node = nil
            report(nil)
            return look()
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

    /// Returns the first device that has the switch, open, and what there is to say about the search.
    static func find() -> (node: InputNode?, remarks: [String]) {
        let keys = ["ID_INPUT_KEYBOARD", "ID_INPUT_KEY"]
        let entries =
            (try? DeviceDatabase.devices(subsystem: "input", properties: ["ID_INPUT_SWITCH"] + keys)) ?? []
        var remarks: [String] = []
        for entry in entries where entry.name.hasPrefix("event") {
            guard entry.properties["ID_INPUT_SWITCH"] == "1", keys.allSatisfy({ entry.properties[$0] != "1" }) else {
                continue
            }
            let path = "/dev/input/\(entry.name)"
            guard let node = InputNode(path: path) else {
                remarks.append("\(path) has switches, which cannot be read: \(String(cString: strerror(errno)))")
                continue
            }
            if node.hasTabletSwitch { return (node, remarks + ["\(path) has the tablet switch"]) }
        }
        return (nil, remarks)
    }

    /// Nil where the node cannot be opened; `errno` says why.
    init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        // Before it is stored: closing what is not open would overwrite the reason.
        if descriptor < 0 { return nil }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// EVIOCGBIT(EV_SW): which switches there are.
    var hasTabletSwitch: Bool { bit(of: 0x20 + Self.switches) == true }

    /// EVIOCGSW: which switches are closed; nil where the kernel does not say.
    var isTablet: Bool? { bit(of: 0x1B) }

    /// Takes what has happened off the queue; false where the device has gone.
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
        // _IOC(_IOC_READ, 'E', command, length), which C makes with a macro that Swift does not see.
        let request = 2 << 30 | UInt(MemoryLayout<UInt64>.size) << 16 | 0x45 << 8 | command
        return ioctl(descriptor, request, &bits) < 0 ? nil : bits >> Self.tabletMode & 1 == 1
    }
}
