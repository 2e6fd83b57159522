// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Programs that are started without some of the descriptors 0 to 2, or with few others.
@Suite struct ClosedDescriptorTests {
    @Test(arguments: ["2>&-", "0>&- 1>&- 2>&-"])
    func `a daemon with closed standard error sends no log to a client`(redirection: String) throws {
        let folder = try TemporaryDirectory()
        let socket = folder.path("socket")
        let daemon = try RunningProgram(
            "/bin/sh",
            [
                "-c",
                #"exec "$0" --sensor fake: --log-level trace --socket "$1" --state-directory "$2" \#(redirection)"#,
                Programs.daemon, socket, folder.path,
            ])
        #expect(eventually { FileManager.default.fileExists(atPath: socket) })
        let link = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(daemon.identifier)/fd/2")
        #expect(link == "/dev/null")
        let watch = try RunningProgram(Programs.tool, toolOptions(socket, for: "watch") + ["watch", "--json"])
        _ = try watch.states(until: "portrait")
        // The daemon logs the reload.
        daemon.send(SIGHUP)
        #expect(try watch.states(until: "portrait").contains { $0.reason != nil })
        daemon.send(SIGTERM)
        #expect(daemon.wait() == 0)
    }

    @Test(arguments: [Programs.daemon, Programs.tool, Programs.agent, Programs.tabletSwitch], [8, 19])
    func `a program with too few descriptors says so, and what to raise`(program: String, limit: Int) throws {
        let run = try RunningProgram.run("/bin/sh", ["-c", "ulimit -n \(limit); exec \(program)"])
        #expect(run.status == EX_OSERR)
        #expect(
            run.errors.hasSuffix(
                "too few file descriptors: the limit is \(limit), must be at least 24; raise the limit with "
                    + "'ulimit -n', or LimitNOFILE= in the unit\n"), "\(run.errors)")
    }
}
