// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel
import OrientationWire
import Varlink

/// Prints states as text, for pipes and files.
@MainActor final class PlainLines: WatchDisplay {
    enum Format {
        /// A line for each state.
        case line
        /// A JSON object on a line for each state.
        case json
        /// All facts of each state, separated by empty lines.
        case report
    }

    private let format: Format
    private let hasTimestamps: Bool
    private let output = TextOutput()
    private var hasPrinted = false

    init(_ format: Format, hasTimestamps: Bool = false) {
        self.format = format
        self.hasTimestamps = hasTimestamps
    }

    func show(_ device: WatchedDevice, after event: WatchEvent) throws {
        switch (event, device.link) {
        case (.state, _):
            guard let state = device.state else { return }
            print(state)
            hasPrinted = true
            try output.flush()
        case (.lost, .lost(let reason)): StandardError.print("\(reason); retrying")
        case (.stale, .stale(let reason)):
            let effect = device.state == nil ? "no state received yet" : "the last state may be out of date"
            StandardError.print("\(reason); \(effect)")
        case (.reply, _): StandardError.print("orientationd: replies again")
        case (.command, _):
            if case .failed(let why) = device.command { StandardError.print("--exec: \(why)") }
        default: break
        }
    }

    private func print(_ state: OrientationState) {
        let time = hasTimestamps ? WallClock.now : nil
        switch format {
        case .line: output.add((time.map { $0 + " " } ?? "") + state.line + "\n")
        case .report:
            if hasPrinted { output.add("\n") }
            if let time { output.add("time".padded(to: 15) + time + "\n") }
            output.add(state.report + "\n")
        case .json:
            var json = state.json
            json["time"] = time.map { .string($0) }
            output.add(json: json.description)
        }
    }
}

/// The local time.
enum WallClock {
    /// ISO 8601 with milliseconds, for example `2026-11-22T10:36:00.250+0100`.
    static var now: String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var parts = tm()
        localtime_r(&now.tv_sec, &parts)
        let milliseconds = String(1_000 + now.tv_nsec / 1_000_000).dropFirst()
        return text("%Y-%m-%dT%H:%M:%S", &parts) + "." + milliseconds + text("%z", &parts)
    }

    private static func text(_ format: String, _ parts: inout tm) -> String {
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, format, &parts)
        return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
