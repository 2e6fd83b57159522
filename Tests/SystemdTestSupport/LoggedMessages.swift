// SPDX-License-Identifier: Apache-2.0

package import Systemd

/// The messages of a logger, for tests on the event loop's thread.
package final class LoggedMessages {
    package fileprivate(set) var texts: [String] = []

    package init() {}

    /// The logger.
    package var logger: Logger {
        Logger { _, text in MainActor.assumeIsolated { self.texts.append(text) } }
    }
}
