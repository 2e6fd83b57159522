// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The time of day in ISO 8601.
enum WallClock {
    /// The local time with milliseconds, for example `2026-11-22T10:36:00.250+0100`.
    static var local: String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var parts = tm()
        localtime_r(&now.tv_sec, &parts)
        let milliseconds = String(1_000 + now.tv_nsec / 1_000_000).dropFirst()
        return text("%Y-%m-%dT%H:%M:%S", &parts) + "." + milliseconds + text("%z", &parts)
    }

    /// The time in UTC, for example `2026-11-22T09:36:00Z`.
    static var utc: String {
        var seconds = time(nil)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return text("%Y-%m-%dT%H:%M:%SZ", &parts)
    }

    private static func text(_ format: String, _ parts: inout tm) -> String {
        String(unsafeUninitializedCapacity: 64) { bytes in
            bytes.withMemoryRebound(to: CChar.self) { chars in
                chars.baseAddress.map { strftime($0, chars.count, format, &parts) } ?? 0
            }
        }
    }
}
