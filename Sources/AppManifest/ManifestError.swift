// SPDX-License-Identifier: Apache-2.0

/// Why a manifest cannot be read. Every case names the file, and where there is one the key and the value.
public enum ManifestError: Error, Hashable, CustomStringConvertible {
    /// The file is not there, or may not be read.
    case unreadable(file: String, reason: String)
    /// The file is larger than any manifest.
    case tooLarge(file: String, bytes: Int)
    /// The file is not what its kind should be.
    case malformed(file: String, reason: String)
    /// A key holds something else than it should.
    case wrongType(file: String, key: String, value: String, expected: String)
    /// A value names no orientation.
    case unknownName(file: String, key: String, value: String, known: [String])
    /// A list that names no orientation.
    case emptyList(file: String, key: String)

    /// What to change, for a person.
    public var description: String {
        switch self {
        case .unreadable(let file, let reason):
            "\(file) cannot be read: \(reason); name the app's Info.plist or .desktop file, and let it be readable"
        case .tooLarge(let file, let bytes):
            "\(file) has \(bytes) bytes, and a manifest has at most \(ManifestFile.maximumBytes); "
                + "name the app's own manifest"
        case .malformed(let file, let reason):
            "\(file) is no manifest: \(reason); mend that, or name the app's Info.plist or .desktop file"
        case .wrongType(let file, let key, let value, let expected):
            "\(file): \(key) is \(value); write \(expected)"
        case .unknownName(let file, let key, let value, let known):
            "\(file): \(key) names '\(value)', which is no orientation; write one of \(known.joined(separator: ", "))"
        case .emptyList(let file, let key):
            "\(file): \(key) is empty, so the app could never be shown; name at least one orientation or leave the "
                + "key out"
        }
    }
}
