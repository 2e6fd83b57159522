// SPDX-License-Identifier: Apache-2.0

internal import CSystemd

/// A name that no other run of any program has.
package enum InstanceName {
    /// A new one: 32 hexadecimal digits.
    package static func make() throws(SystemError) -> String {
        var id = sd_id128_t()
        try check(sd_id128_randomize(&id), "make a random name")
        return withUnsafeBytes(of: &id) { bytes in
            bytes.map { byte in
                let digits = String(byte, radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
        }
    }
}
