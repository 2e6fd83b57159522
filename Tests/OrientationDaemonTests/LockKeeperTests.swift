// SPDX-License-Identifier: Apache-2.0

import Logging
import OrientationModel
import Systemd
import TestServer
import Testing

@testable import OrientationDaemon

@Suite struct LockKeeperTests {
    private let folder: TemporaryDirectory
    private let remarks = Remarks()
    private let log: Logger

    init() throws {
        folder = try TemporaryDirectory()
        log = Logger(label: "test") { [remarks] _ in RemarkHandler(remarks: remarks) }
    }

    /// The loop goes with the keeper: there is one in a thread, and one that has ended is of no use to the next test.
    private func keeper(in directory: String?, loop: EventLoop? = nil) throws -> LockKeeper {
        try LockKeeper(
            directory: directory.map(StateDirectory.init), loop: try loop ?? EventLoop(), log: log)
    }

    private var written: RotationLock { StateDirectory(path: folder.path("state")).readLock(log: log) }

    @Test func `a few changes are kept at once; whoever goes on waits, and the newest counts`() throws {
        let keeper = try keeper(in: folder.path("state"))
        var answers: [Int] = []
        for number in 0..<1_000 {
            let outcome = keeper.keep(number % 2 == 0 ? .closed(nil) : .open, for: number % 20) { _ in
                answers.append(number)
            }
            #expect(outcome == (number < LockKeeper.burst ? .done(notKept: nil) : .later))
        }
        #expect(remarks.texts.count == LockKeeper.burst)
        _ = keeper.keep(.closed(.landscapeLeft), for: 7) { _ in answers.append(-1) }
        keeper.forget(8)
        #expect(answers.isEmpty)
        keeper.finish()
        #expect(answers.count == 19)
        #expect(answers.contains(-1))
        #expect(!answers.contains(988))
        #expect(remarks.texts.last == "the rotation lock is now closed landscapeLeft")
        #expect(remarks.texts.count == LockKeeper.burst + 1)
        #expect(written == .closed(.landscapeLeft))
    }

    @Test func `who waits is answered when the time has come`() throws {
        let loop = try EventLoop()
        let keeper = try keeper(in: folder.path("state"), loop: loop)
        for number in 0..<LockKeeper.burst { _ = keeper.keep(number % 2 == 0 ? .closed(nil) : .open, for: 0) { _ in } }
        let outcome = keeper.keep(.closed(.portrait), for: 1) { loop.exit(status: $0 == nil ? 7 : 1) }
        #expect(outcome == .later)
        #expect(try loop.run() == 7)
        #expect(written == .closed(.portrait))
    }

    @Test func `what is kept already is not written again`() throws {
        let keeper = try keeper(in: folder.path("state"))
        for _ in 0..<100 { #expect(keeper.keep(.closed(nil), for: 1) { _ in } == .done(notKept: nil)) }
        #expect(remarks.texts.count == 1)
    }

    @Test func `without a directory nobody waits, the answer says so, and the log is not flooded`() throws {
        let keeper = try keeper(in: nil)
        let reason = "there is no directory to keep it in; name one with --state-directory"
        for number in 0..<1_000 {
            let outcome = keeper.keep(number % 2 == 0 ? .closed(nil) : .open, for: 1) { _ in }
            #expect(outcome == .done(notKept: reason))
        }
        #expect((LockKeeper.burst...LockKeeper.burst + 1).contains(remarks.texts.count))
    }

    @Test func `a directory that cannot be is answered with the reason, and tried again`() throws {
        let keeper = try keeper(in: "/proc/nowhere")
        guard case .done(let reason?) = keeper.keep(.closed(nil), for: 1, later: { _ in }) else {
            Issue.record("it was kept")
            return
        }
        #expect(reason.hasPrefix("cannot write /proc/nowhere/rotation-lock: "))
        #expect(keeper.keep(.closed(nil), for: 1) { _ in } == .done(notKept: reason))
    }
}
