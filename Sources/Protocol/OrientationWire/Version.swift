// SPDX-License-Identifier: Apache-2.0

/// The version of the project, as in `--version`, GetInfo and CHANGELOG.md.
package enum Version {
    package static let current = "0.9.0"
}
