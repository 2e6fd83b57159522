// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Where the daemon's socket is looked for.
package struct SocketPath: Sendable {
    /// Where the system's daemon listens.
    static let system = "/run/orientationd/orientationd.sock"

    /// The paths to try; the first that is there is taken.
    let candidates: [String]

    /// The path that the app gave, else that of the environment's `ORIENTATIOND_SOCKET`, else the system's, else that of
    /// the user's own daemon.
    init(explicit: String?, environment: (String) -> String?) {
        if let path = explicit ?? Self.nonEmpty(environment("ORIENTATIOND_SOCKET")) {
            candidates = [path]
        } else {
            let directory = Self.nonEmpty(environment("XDG_RUNTIME_DIR"))
            candidates = [Self.system] + (directory.map { ["\($0)/orientationd.sock"] } ?? [])
        }
    }

    /// The path as this process's environment has it.
    package init(explicit: String?) {
        self.init(explicit: explicit) { name in getenv(name).map { String(cString: $0) } }
    }

    /// The path to connect to now; asked anew before every attempt, since a socket may come and go.
    package var current: String { choose { access($0, F_OK) == 0 } }

    /// The first that is there; where none is, the first of all, so that an error names the place where it belongs.
    func choose(isThere: (String) -> Bool) -> String {
        candidates.first(where: isThere) ?? candidates[0]
    }

    private static func nonEmpty(_ text: String?) -> String? {
        text.flatMap { $0.isEmpty ? nil : $0 }
    }
}
