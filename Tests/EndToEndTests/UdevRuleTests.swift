// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

private let canMount =
    (try? RunningProgram.run("/usr/bin/unshare", ["--mount", "--propagation", "private", "true"]).status) == 0

/// The package's udev rule, evaluated by the real udev for umockdev's devices. Needs root to install it in a private
/// mount namespace.
@Suite(.serialized, .enabled(if: canMount, "needs root and mount namespaces"))
struct UdevRuleTests {
    /// Returns whether udev would run setfacl for an event node with SW_TABLET_MODE and these key bits.
    private func opensNode(keys: String) throws -> Bool {
        let folder = try TemporaryDirectory()
        let input = "/devices/platform/hinge/input/input5"
        let bits = ["key": keys, "sw": "2", "ev": keys == "0" ? "21" : "23", "abs": "0", "rel": "0"]
        let capabilities = bits.map { "A: capabilities/\($0)=\($1)\\n\n" }.joined()
        let machine = try folder.write(
            """
            P: \(input)
            E: SUBSYSTEM=input
            A: name=Hinge\\n
            A: properties=0\\n
            \(capabilities)
            P: \(input)/event5
            N: input/event5
            E: DEVNAME=/dev/input/event5
            E: SUBSYSTEM=input
            A: dev=13:69\\n
            """, to: "machine.umockdev")
        let script = """
            mount -t tmpfs tmpfs /run &&
            mount --bind '\(Programs.packageFolder)/udev' /etc/udev/rules.d &&
            exec umockdev-run -d '\(machine)' -- udevadm test --action=add /sys\(input)/event5 2>&1
            """
        let run = try RunningProgram.run(
            "/usr/bin/unshare", ["--mount", "--propagation", "private", "sh", "-c", script])
        let text = run.output.joined(separator: "\n")
        #expect(text.contains("ID_INPUT_SWITCH=1"), "udev did not evaluate the device: \(text)")
        return text.contains("setfacl -m g:")
    }

    @Test func `the daemon gets access to a node that has only the hinge's switch`() throws {
        #expect(try opensNode(keys: "0"))
    }

    @Test(arguments: [
        ("volume and power keys", "10000000000000 0"), ("a mouse's buttons", "70000 0 0 0 0"),
        ("a keyboard", "fffffffe"),
    ])
    func `the daemon never gets access to a node with keys or buttons`(kind: String, keys: String) throws {
        #expect(try !opensNode(keys: keys), "\(kind)")
    }
}
