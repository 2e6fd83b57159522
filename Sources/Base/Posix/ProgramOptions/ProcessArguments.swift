// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc

/// The command line of this process.
///
/// `CommandLine.arguments` is empty where Swift cannot read `/proc/self/maps`: without `/proc`, or if the call fails once.
package enum ProcessArguments {
    /// Returns the arguments; the first is the program's name. Without any, which only a preloaded library can cause, reports
    /// that and exits with EX_SOFTWARE: without its options, a program would use the defaults.
    package static func read(report: (String) -> Void) -> [String] {
        var count: Int32 = 0
        guard let vector = cposix_arguments(&count), count > 0 else {
            report("command line: cannot read: the C library passed no arguments; check LD_PRELOAD")
            exit(EX_SOFTWARE)
        }
        return UnsafeBufferPointer(start: vector, count: Int(count)).compactMap { $0.map { String(cString: $0) } }
    }
}
