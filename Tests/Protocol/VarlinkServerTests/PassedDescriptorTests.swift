// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import TestServer
import Testing
import Varlink

@testable import VarlinkServer

/// Clients pass sockets whose close blocks for a quarter of an hour, as on a kernel before Linux 6.16. Another client
/// is answered while the passed socket still exists: a loop that closed it would answer that much later.
@Suite(.timeLimit(.minutes(10))) struct PassedDescriptorTests {
    private nonisolated static let ping = #"{"method":"a.b.Ping","parameters":{"n":1}}|"#
    private nonisolated static let pong = #"{"parameters":{"n":1}}"#
    private let old = DescriptorGuard(usesKernelOption: false, closer: SocketCloser())

    /// What the attacker does with its connection besides passing a descriptor.
    nonisolated enum Attack: CaseIterable {
        case beforeACall, afterACall, outOfBand, whileNotRead, leaving, pipelined
    }

    @Test(arguments: Attack.allCases)
    func `a passed descriptor ends its connection, and others are answered meanwhile`(attack: Attack) throws {
        let bench = try TableBench(guardian: old) { $0.waitingCalls = 2 }
        let gate = Gate()
        bench.answer = {
            if $0.member == "Hold" { gate.hold() }
            return $0.member == "Wait" ? [] : [.reply($1, EncodedMessage(reply: $0.parameters))]
        }
        let answers = try bench.serve { [old] path -> [String?] in
            let lingering = try LingeringSocket()
            var innocent = try RawClient(to: path)
            do {
                var attacker = try RawClient(to: path, guardian: old)
                let socket = attacker.socket.descriptor
                switch attack {
                case .afterACall:
                    try attacker.send(Self.ping)
                    #expect(try attacker.message() == Self.pong)
                // No more is read while calls wait behind one that is not answered.
                case .whileNotRead: try attacker.send(#"{"method":"a.b.Wait"}|"# + Self.ping + Self.ping)
                case .beforeACall, .outOfBand, .leaving, .pipelined: break
                }
                // The daemon reads nothing until it holds the last reference.
                try innocent.send(#"{"method":"a.b.Hold","parameters":{"n":1}}|"#)
                gate.awaitHold()
                if attack == .pipelined { try attacker.send(String(repeating: Self.ping, count: 100)) }
                try lingering.pass(
                    over: socket, count: attack == .afterACall ? 253 : 1, outOfBand: attack == .outOfBand)
                if attack == .beforeACall { try attacker.send(Self.ping) }
                gate.open()
                if attack != .leaving, attack != .whileNotRead {
                    while try attacker.message() != nil {}
                }
            }
            var next = try RawClient(to: path)
            try next.send(Self.ping)
            defer { withExtendedLifetime(lingering) {} }
            return [try innocent.message(), try next.message()]
        }
        #expect(answers == [Self.pong, Self.pong])
        while old.closer.pending > 0 { sched_yield() }
    }

    @Test func `a refused connection with a descriptor delays no client, and its close frees the slot`() throws {
        let bench = try TableBench(guardian: old) { $0.connections = 2 }
        let found = try bench.serve { [old] path -> (String?, Int) in
            var innocent = try RawClient(to: path)
            try innocent.send(Self.ping)
            guard try innocent.message() == Self.pong else { return (nil, 0) }
            let second = try RawClient(to: path)
            var refused = 0
            var lingering: [LingeringSocket] = []
            for _ in 0..<100 {
                var attacker = try RawClient(to: path, guardian: old)
                let one = try LingeringSocket()
                lingering.append(one)
                do {
                    try one.pass(over: attacker.socket.descriptor)
                } catch let failure as LingeringSocket.Failure where failure.errno == EPIPE {}
                while let text = try attacker.message() { refused += text.contains("LimitReached") ? 1 : 0 }
            }
            try innocent.send(Self.ping)
            defer { withExtendedLifetime(lingering) {} }
            withExtendedLifetime(second.socket.descriptor) {}
            return (try innocent.message(), refused)
        }
        #expect(found.0 == Self.pong)
        #expect(found.1 == 100)
        while old.closer.pending > 0 { sched_yield() }
    }

    @Test func `a connection whose close blocks delays no other user`() async {
        // In its own process: copies of the passed socket in programs that other tests start, and in the processes that
        // close other sockets, would keep a close from being the last.
        await #expect(processExitsWith: .success) {
            try await MainActor.run { try PassedDescriptorTests.serveWhileACloseBlocks() }
        }
    }

    private static func serveWhileACloseBlocks() throws {
        let old = DescriptorGuard(usesKernelOption: false, closer: SocketCloser())
        // As if no process could be created.
        let stuck = DescriptorGuard(usesKernelOption: false, closer: SocketCloser(mayCopy: false))
        let bench = try TableBench(guardian: stuck)
        let gate = Gate()
        bench.answer = {
            if $0.member == "Hold" { gate.hold() }
            return [.reply($1, EncodedMessage(reply: $0.parameters))]
        }
        let answers = try bench.serve { path -> [String?] in
            let lingering = try LingeringSocket()
            var innocent = try RawClient(to: path)
            var attacker = try RawClient(to: path, guardian: old)
            try innocent.send(#"{"method":"a.b.Hold","parameters":{"n":1}}|"#)
            gate.awaitHold()
            try lingering.pass(over: attacker.socket.descriptor)
            gate.open()
            #expect(try attacker.message() == nil)
            var next = try RawClient(to: path)
            try next.send(Self.ping)
            let answers = [try innocent.message(), try next.message()]
            // Both were answered while the close blocks, which it does until the test ends.
            #expect(stuck.closer.pending(of: geteuid()) == 1)
            withExtendedLifetime(lingering) {}
            return answers
        }
        #expect(answers == [Self.pong, Self.pong])
        while stuck.closer.pending > 0 { sched_yield() }
    }
}

/// Holds the loop in a handler, so that a test knows what it reads next.
private nonisolated final class Gate: Sendable {
    private let held = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    func hold() {
        held.signal()
        opened.wait()
    }

    func awaitHold() { held.wait() }
    func open() { opened.signal() }
}
