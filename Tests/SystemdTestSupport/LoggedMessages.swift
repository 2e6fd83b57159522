// SPDX-License-Identifier: Apache-2.0

package import Logging

/// The messages of a logger, for tests on the event loop's thread.
package final class LoggedMessages {
    package fileprivate(set) var texts: [String] = []

    package init() {}

    /// The logger.
    package var logger: Logger { Logger(label: "test") { _ in RecordingLogHandler(messages: self) } }
}

private nonisolated struct RecordingLogHandler: LogHandler {
    let messages: LoggedMessages
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(messages: LoggedMessages) {
        self.messages = messages
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let text = event.message.description
        MainActor.assumeIsolated { messages.texts.append(text) }
    }
}
