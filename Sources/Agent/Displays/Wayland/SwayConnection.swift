// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Systemd
internal import Varlink

/// A connection to sway's IPC, in the format of i3: a magic string, the length, the type, and JSON.
final class SwayConnection {
    enum Request: Hashable {
        case command(String)
        case subscribe(Subject)
        case inputs, outputs
    }

    /// What sway reports changes of.
    enum Subject: String {
        case inputs = "input", workspaces = "workspace", outputs = "output"
    }

    enum Event {
        case inputs([SwayDevice])
        case inputChanged
        /// The names of the outputs that are turned off.
        case darkOutputs(Set<String>)
        case outputChanged
        /// Another workspace has the focus.
        case workspaceChanged
        /// sway has read its configuration again.
        case reloaded
        case refused(String)
        case ended(String)
    }

    private let socket: StreamSocket
    private let receiver: (Event) -> Void
    private var source: EventSource?
    private var decoder = SwayDecoder()

    /// Connects to a socket. The receiver gets the replies, and may release the connection after its end.
    init(_ path: String, on loop: EventLoop, receiver: @escaping (Event) -> Void) throws {
        socket = try StreamSocket.connect(to: path)
        self.receiver = receiver
        source = try loop.watch(socket.descriptor, for: .read) { [unowned self] _ in handleReadiness() }
    }

    deinit {
        // Before the socket is closed: the loop must not watch another file of the same number.
        source = nil
    }

    /// Sends a request. One that does not fit into the socket ends the connection: sway does not read.
    func send(_ request: Request) {
        do {
            let bytes = SwayDecoder.encode(request)
            let count = try bytes.withUnsafeBytes { try socket.send($0) }
            if count < bytes.count { end("it does not read requests") }
        } catch {
            end("\(error)")
        }
    }

    private func handleReadiness() {
        do {
            // Bounded: a peer that never stops writing does not occupy the loop.
            let received = try withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
                let result = try socket.receive(into: buffer)
                if case .bytes(let count) = result {
                    decoder.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                }
                return result
            }
            if received == .end { return end("end of file") }
            while source != nil, let message = try decoder.next() { deliver(message) }
        } catch {
            end("\(error)")
        }
    }

    private func deliver(_ message: SwayDecoder.Message) {
        switch message.type {
        case SwayDecoder.MessageType.inputs:
            if let devices = SwayDevice.parse(message.content) { receiver(.inputs(devices)) }
        case SwayDecoder.MessageType.outputs:
            guard case .array(let outputs) = message.content else { return }
            receiver(.darkOutputs(Set(outputs.compactMap(Self.darkOutput))))
        case SwayDecoder.MessageType.outputEvent: receiver(.outputChanged)
        case SwayDecoder.MessageType.inputEvent:
            guard case .object(let event) = message.content, case .string(let change)? = event["change"],
                change == "added" || change == "removed"
            else { return }
            receiver(.inputChanged)
        case SwayDecoder.MessageType.workspaceEvent:
            guard case .object(let event) = message.content, case .string(let change)? = event["change"] else { return }
            if change == "focus" { receiver(.workspaceChanged) }
            if change == "reload" { receiver(.reloaded) }
        case SwayDecoder.MessageType.command:
            guard case .array(let results) = message.content else { return }
            for case .object(let result) in results where result["success"] == .bool(false) {
                guard case .string(let reason)? = result["error"] else { continue }
                receiver(.refused(reason))
            }
        default: break
        }
    }

    /// The name of an output of `get_outputs` that is turned off; nil for others. Before sway 1.8 `power` is `dpms`.
    private static func darkOutput(_ output: JSONValue) -> String? {
        guard case .object(let output) = output, case .string(let name)? = output["name"],
            output["power"] ?? output["dpms"] == .bool(false)
        else { return nil }
        return name
    }

    private func end(_ reason: String) {
        guard source != nil else { return }
        source = nil
        receiver(.ended(reason))
    }
}

extension SwayConnection {
    /// Connects to the running sway, or to the socket of the environment, which may be from an earlier sway, or missing in
    /// the environment of a service manager. Returns nil and the reasons if this fails.
    static func open(
        _ session: DisplaySession, process: Int32?, receiver: @escaping (Event) -> Void
    ) -> (connection: SwayConnection?, failures: [String]) {
        let directory = session.environment["XDG_RUNTIME_DIR"]
        let running = process.flatMap { process in directory.map { "\($0)/sway-ipc.\(getuid()).\(process).sock" } }
        let named = session.environment["SWAYSOCK"]
        var failures: [String] = []
        for path in [running, named == running ? nil : named].compactMap(\.self) {
            do {
                return (try SwayConnection(path, on: session.loop, receiver: receiver), [])
            } catch {
                failures.append("\(error)")
            }
        }
        return (nil, failures)
    }
}

/// Splits the bytes of sway's IPC into messages.
struct SwayDecoder {
    struct Message: Hashable {
        let type: UInt32
        let content: JSONValue
    }

    struct Invalid: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    enum MessageType {
        static let command: UInt32 = 0, subscribe: UInt32 = 2, outputs: UInt32 = 3, inputs: UInt32 = 100
        static let workspaceEvent: UInt32 = 0x8000_0000, outputEvent: UInt32 = 0x8000_0001
        static let inputEvent: UInt32 = 0x8000_0015
    }

    /// The longest message: `get_inputs` has about 2 kB for each device.
    static let longestMessage = 1 << 20

    private static let magic = Array("i3-ipc".utf8)
    private static let headerSize = magic.count + 8
    private var bytes: [UInt8] = []

    mutating func append(_ new: UnsafeRawBufferPointer) {
        bytes += new
    }

    /// Returns the next complete message; nil if more bytes are needed.
    mutating func next() throws -> Message? {
        guard bytes.count >= Self.headerSize else { return nil }
        guard bytes.starts(with: Self.magic) else { throw Invalid(description: "not an i3-ipc message") }
        let length = Int(number(at: Self.magic.count)), type = number(at: Self.magic.count + 4)
        guard length <= Self.longestMessage else { throw Invalid(description: "message of \(length) bytes") }
        let end = Self.headerSize + length
        guard bytes.count >= end else { return nil }
        let content = Array(bytes[Self.headerSize..<end])
        bytes.removeFirst(end)
        return Message(type: type, content: try JSONValue(parsing: content))
    }

    /// A number in the byte order of the machine.
    private func number(at index: Int) -> UInt32 {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index, as: UInt32.self) }
    }

    static func encode(_ request: SwayConnection.Request) -> [UInt8] {
        let (type, text) =
            switch request {
            case .command(let command): (MessageType.command, command)
            case .subscribe(let subject): (MessageType.subscribe, #"["\#(subject.rawValue)"]"#)
            case .inputs: (MessageType.inputs, "")
            case .outputs: (MessageType.outputs, "")
            }
        var message = magic
        withUnsafeBytes(of: UInt32(text.utf8.count)) { message += $0 }
        withUnsafeBytes(of: type) { message += $0 }
        return message + text.utf8
    }
}
