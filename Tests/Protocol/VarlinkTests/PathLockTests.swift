// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestServer
import TestSupport
import Testing
import Varlink

/// Competition for one socket path.
@Suite(.timeLimit(.minutes(10))) struct PathLockTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.socket }

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Binds on several threads at once; each socket stays open until the last attempt has ended.
    private func race(_ count: Int) -> [Result<Bool, SocketError>] {
        let path = path
        let outcomes = Outcomes()
        DispatchQueue.concurrentPerform(iterations: count) { _ in
            do throws(SocketError) {
                let socket = try ListeningSocket.bind(to: path, mode: 0o600)
                outcomes.add(.success((try? StreamSocket.connect(to: path)) != nil))
                outcomes.wait(for: count)
                withExtendedLifetime(socket) {}
            } catch {
                outcomes.add(.failure(error))
            }
        }
        return outcomes.all
    }

    @Test func `of several threads that replace a stale socket one succeeds, and accepts connections`() throws {
        for _ in 0..<100 {
            close(boundSocket(at: path))
            let outcomes = race(4)
            #expect(outcomes.filter { $0 == .success(true) }.count == 1)
            #expect(outcomes.filter { $0 == .failure(.alreadyServed(path: path)) }.count == 3)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path("")).isEmpty)
    }

    @Test func `bind fails while another process holds the lock`() throws {
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        #expect(throws: SocketError.alreadyServed(path: path)) {
            _ = try ListeningSocket.bind(to: path, mode: 0o600)
        }
        // As at the end of the process: the kernel releases the lock, and the remaining file blocks no other process.
        // A child process of another test has a copy of the descriptor until it executes its program: closing does not unlock.
        flock(lock, LOCK_UN)
        close(lock)
        let listener = try ListeningSocket.bind(to: path, mode: 0o600)
        #expect(!FileManager.default.fileExists(atPath: path + ".lock"))
        withExtendedLifetime(listener.descriptor) {}
    }

    @Test func `a directory in place of the lock file is an error, and stays`() throws {
        try FileManager.default.createDirectory(atPath: path + ".lock", withIntermediateDirectories: false)
        let operation = "create the lock file \(path).lock"
        #expect(throws: SocketError.failed(operation: operation, errno: EISDIR)) {
            _ = try ListeningSocket.bind(to: path, mode: 0o600)
        }
        #expect(FileManager.default.fileExists(atPath: path + ".lock"))
    }

    @Test func `a pipe in place of the lock file is an error, and is not waited for`() throws {
        #expect(mkfifo(path + ".lock", 0o600) == 0)
        #expect(throws: SocketError.self) { _ = try ListeningSocket.bind(to: path, mode: 0o600) }
    }

    @Test func `connections beyond the backlog are refused as busy`() throws {
        var limits = Limits()
        limits.waitingConnections = 3
        let listener = try ListeningSocket.bind(to: path, mode: 0o600, limits: limits)
        // The kernel accepts one more than the backlog.
        let clients = try (0..<4).map { _ in Keeper(try StreamSocket.connect(to: path)) }
        #expect(throws: SocketError.busy(path: path)) { _ = try StreamSocket.connect(to: path) }
        #expect(try listener.accept() != nil)
        _ = try StreamSocket.connect(to: path)
        withExtendedLifetime(clients) {}
    }
}

/// A copyable owner of a socket, for arrays.
private final class Keeper {
    private let socket: StreamSocket
    init(_ socket: consuming StreamSocket) { self.socket = socket }
}

/// The results of the attempts. Unchecked: accessed with the lock held.
private final class Outcomes: @unchecked Sendable {
    private let condition = NSCondition()
    private var list: [Result<Bool, SocketError>] = []

    var all: [Result<Bool, SocketError>] { condition.withLock { list } }

    func add(_ outcome: Result<Bool, SocketError>) {
        condition.withLock {
            list.append(outcome)
            condition.broadcast()
        }
    }

    func wait(for count: Int) {
        condition.withLock {
            while list.count < count { condition.wait() }
        }
    }
}
