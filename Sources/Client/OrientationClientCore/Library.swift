// SPDX-License-Identifier: Apache-2.0

internal import CLibrary
internal import Glibc
internal import Posix
internal import Varlink

/// Conversions between the library for C and Swift.
enum Library {
    /// Opens a handle; `open` returns 0 or a negative errno.
    static func open(
        _ place: String?, _ open: (UnsafePointer<CChar>?, inout OpaquePointer?) -> Int32
    ) throws(OrientationServiceError) -> OpaquePointer {
        if let place, place.utf8.contains(0) {
            throw .unusablePath(reason: "invalid socket path '\(place)': must not contain a NUL")
        }
        var handle: OpaquePointer?
        let result = withText(place) { open($0, &handle) }
        if let handle { return handle }
        if let place, result == -EINVAL {
            throw .unusablePath(reason: "invalid socket path '\(place)': must have 1 to \(longestPath) bytes")
        }
        throw .notConnected(reason: "cannot open a connection: \(Errno(-result))")
    }

    /// The longest path of a socket address, in bytes.
    private static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// Passes a text, or null, with a NUL at its end.
    static func withText<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
        guard let text else { return body(nil) }
        return text.withCString { body($0) }
    }

    /// Returns the text of an array of characters.
    static func text<Characters>(of characters: Characters) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Parses a reply.
    static func reply(_ text: UnsafePointer<CChar>?, _ length: Int) throws -> Reply {
        try Reply(parsing: UnsafeRawBufferPointer(start: text, count: length))
    }
}
