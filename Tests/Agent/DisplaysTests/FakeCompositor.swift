// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A compositor with wlr-output-management that does what real ones do only at times, such as cancelling a configuration.
nonisolated final class FakeCompositor: FakeWaylandServer, @unchecked Sendable {
    struct Head: Equatable {
        var name: String
        var isEnabled = true
        var transform: Int32 = 0
        var position: [Int32] = [0, 0]
        var scale: Int32 = 256
    }

    /// The reply to a configuration.
    enum Answer {
        case succeed, fail, cancel, none
        /// Add this to each transform, as niri adds the panel orientation.
        case add(Int32)
    }

    /// What a configuration said about a head; nil for a disabled one.
    typealias Request = [String: Head?]

    /// The windows; nil without a protocol for them.
    let windows: FakeWindows?
    private let version: UInt32
    // The lock guards the rest.
    private var heads: [Head]
    private var answer = Answer.succeed
    private var managers: [UInt32] = []
    private var headObjects: [String: UInt32] = [:]
    private var modeObjects: [UInt32: UInt32] = [:]
    private var configured: [UInt32: Head] = [:]
    private var pending: Request = [:]
    private var requests: [Request] = []
    private var released: [String] = []
    private var serial: UInt32 = 0
    private var unanswered: UInt32?
    private var lateAnswer: UInt16?
    private var bindings: [String] = []
    private var outputObjects: [UInt32] = []

    init(
        version: UInt32 = 4, _ heads: [Head], isSilent: Bool = false, ignoresEnd: Bool = false,
        windows kind: FakeWindows.Kind? = nil, hasWorkspaces: Bool = false, also interface: String? = nil
    ) throws {
        self.version = version
        self.heads = heads
        windows = kind.map { FakeWindows($0, hasWorkspaces: hasWorkspaces) }
        try super.init(isSilent: isSilent, ignoresEnd: ignoresEnd)
        globals = [("zwlr_output_manager_v1", version)]
        if let interface { globals.append((interface, 1)) }
        globals += heads.map { _ in ("wl_output", 4) } + (windows?.globals ?? [])
        start()
        windows?.server = self
    }

    // MARK: For the test

    /// The configurations that the client applied.
    var applied: [Request] { lock.withLock { requests } }

    /// The objects that the client released, by interface.
    var releases: [String] { lock.withLock { released } }

    func reply(_ answer: Answer) { lock.withLock { self.answer = answer } }

    /// Changes the heads as another program does.
    func change(_ body: (inout [Head]) -> Void) {
        lock.withLock {
            body(&heads)
            sendHeads()
        }
    }

    /// Sends this event as the reply to the configuration that has none, or to the next one.
    func finish(_ event: UInt16) {
        lock.withLock {
            if let unanswered { send(unanswered, event) } else { lateAnswer = event }
            unanswered = nil
        }
    }

    /// Ends the management of outputs.
    func finishManager() { lock.withLock { for manager in managers { send(manager, 2) } } }

    /// Sends a protocol error.
    func fail() {
        lock.withLock { send(1, 0, .number(managers.first ?? 1), .number(3), .text("a reason")) }
    }

    /// The interfaces that the client bound, in order.
    var bound: [String] { lock.withLock { bindings } }

    // MARK: The protocol

    override func bound(_ interface: String, to object: UInt32) {
        bindings.append(interface)
        if windows?.bound(interface, to: object) == true { return }
        if interface == "wl_output" {
            interfaces[object] = interface
            // The client binds them in their order.
            if outputObjects.count < heads.count { send(object, 4, .text(heads[outputObjects.count].name)) }
            outputObjects.append(object)
            windows?.outputs = outputObjects
            return
        }
        interfaces[object] = "manager"
        managers.append(object)
        sendHeads()
    }

    override func handle(_ object: UInt32, _ interface: String, _ opcode: Int, _ arguments: Reader) {
        if windows?.handle(object, interface, opcode, arguments) == true { return }
        let first = arguments.number(0)
        switch (interface, opcode) {
        case ("manager", 0):
            interfaces[first] = "configuration"
            pending = [:]
        case ("configuration", 0):
            interfaces[first] = "configurationHead"
            let name = headObjects.first { $0.value == arguments.number(1) }?.key ?? "unknown"
            configured[first] = heads.first { $0.name == name } ?? Head(name: name)
            pending[name] = configured[first]
        case ("configuration", 1):
            pending[headObjects.first { $0.value == first }?.key ?? "unknown"] = .some(nil)
        case ("configuration", 2): apply(object)
        case ("configuration", 4): interfaces[object] = nil
        case ("configurationHead", 2):
            configured[object]?.position = [arguments.signed(0), arguments.signed(1)]
        case ("configurationHead", 3): configured[object]?.transform = arguments.signed(0)
        case ("configurationHead", 4): configured[object]?.scale = arguments.signed(0)
        case ("head", 0), ("mode", 0): released.append(interfaces[object] ?? "")
        default: break
        }
    }

    private func apply(_ configuration: UInt32) {
        for head in configured.values where pending[head.name] != nil { pending[head.name] = head }
        configured = [:]
        requests.append(pending)
        switch answer {
        case .none:
            if let lateAnswer { send(configuration, lateAnswer) } else { unanswered = configuration }
            lateAnswer = nil
        case .fail: send(configuration, 1)
        case .cancel: send(configuration, 2)
        case .succeed: accept(configuration, adding: 0)
        case .add(let rotation): accept(configuration, adding: rotation)
        }
    }

    private func accept(_ configuration: UInt32, adding rotation: Int32) {
        heads = heads.map { head in
            guard let wanted = pending[head.name] ?? nil else { return head }
            var new = wanted
            new.transform = (wanted.transform + rotation) % 4
            return new
        }
        send(configuration, 0)
        sendHeads()
    }

    /// Sends new heads, the properties of all, and the end of those that were removed.
    private func sendHeads() {
        for manager in managers {
            for (name, object) in headObjects where !heads.contains(where: { $0.name == name }) {
                if let mode = modeObjects[object] { send(mode, 3) }
                send(object, 9)
                headObjects[name] = nil
            }
            for head in heads {
                let object = headObjects[head.name] ?? newHead(head.name, manager)
                send(object, 4, .number(head.isEnabled ? 1 : 0))
                guard head.isEnabled else { continue }
                send(object, 5, .number(modeObjects[object] ?? 0))
                send(
                    object, 6, .signed(head.position[0]),
                    .signed(head.position[1]))
                send(object, 7, .signed(head.transform))
                send(object, 8, .signed(head.scale))
            }
            serial += 1
            send(manager, 1, .number(serial))
        }
    }

    private func newHead(_ name: String, _ manager: UInt32) -> UInt32 {
        let object = newObject("head")
        headObjects[name] = object
        send(manager, 0, .number(object))
        send(object, 0, .text(name))
        if version >= 2 { send(object, 10, .text("ACME")) }
        let mode = newObject("mode")
        modeObjects[object] = mode
        send(object, 3, .number(mode))
        send(mode, 0, .number(1920), .number(1080))
        return object
    }
}
