// SPDX-License-Identifier: Apache-2.0

/// How the command of `--exec` fares.
enum CommandReport: Hashable {
    case waiting
    case running
    case succeeded(runs: Int)
    /// In words for a person.
    case failed(String)
}
