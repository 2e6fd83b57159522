// SPDX-License-Identifier: Apache-2.0

/// The version of the whole project, as `--version` and GetInfo tell it. CHANGELOG.md says what is in it.
package enum Version {
    package static let current = "0.1.0"
}
