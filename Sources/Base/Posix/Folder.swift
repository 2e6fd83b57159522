// SPDX-License-Identifier: Apache-2.0

internal import Glibc

package enum Folder {
    /// The number of entries that are usually read. 1024: hardware has tens of devices of a kind.
    package static let usualLimit = 1_024

    /// Returns the names, sorted by bytes, in a folder, without hidden ones. Reads at most `limit` entries.
    package static func names(in path: String, atMost limit: Int = usualLimit) throws(Errno) -> [String] {
        guard let stream = opendir(path) else { throw .current }
        defer { closedir(stream) }
        var names: [String] = []
        for _ in 0..<limit {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw .current }
                break
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.utf8.first != UInt8(ascii: ".") { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
