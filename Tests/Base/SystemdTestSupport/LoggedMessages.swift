// SPDX-License-Identifier: Apache-2.0

private import Foundation
package import Systemd

/// The messages of a logger, from any thread.
package nonisolated final class LoggedMessages: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [String] = []

    package var texts: [String] { lock.withLock { list } }

    package init() {}

    /// The logger.
    package var logger: Logger {
        Logger { [self] _, text in lock.withLock { list.append(text) } }
    }
}
