// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The note of what we have changed on a device, kept while that is so.
///
/// A buffer goes on after the death of whoever started it, and a frequency stays as it was set: the next start of the
/// daemon reads here what was ours, and gives that back and nothing else. A note of an earlier boot means nothing.
///
/// Unchecked: only the sensor thread uses it, of which there is one at a time.
package final class ArmedNote: @unchecked Sendable {
    private let path: String?
    private let boot: String?
    private var isLookedAt = false
    private var loan: Loan?

    /// The device whose buffer this run of the daemon holds.
    var held: String? { loan?.hasBuffer == true ? loan?.device : nil }

    /// Keeps the note in `folder`, which is made if it is not there; nil for nowhere. `boot` names this run of the
    /// machine.
    package init(folder: String?, boot: String? = ArmedNote.bootID()) {
        path = folder.map { "\($0)/armed" }
        self.boot = boot
        if let folder { mkdir(folder, 0o700) }
    }

    /// Whether there is a note, of whatever age.
    package var isPresent: Bool { path.map { access($0, F_OK) == 0 } == true }

    /// Why no note can be made; nil where it can.
    var obstacle: String? {
        guard let path else { return "there is no state directory in which a running buffer could be noted as ours" }
        if boot == nil {
            return "the boot cannot be told from others, so that no running buffer could be noted as ours"
        }
        let folder = String(path.dropLast("/armed".count))
        return access(folder, W_OK) == 0
            ? nil : "a running buffer cannot be noted as ours in \(folder): \(String(cString: strerror(errno)))"
    }

    /// Notes what is ours from now on; false where that failed.
    func write(_ loan: Loan) -> Bool {
        guard let path, let boot else { return false }
        // In one step: half a note would be none.
        let draft = "\(path).new"
        // A file that a crash left there, or that another user made, is not written to.
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        let text = "\(boot)\n\(loan.text)"
        let count = text.withCString { Glibc.write(descriptor, $0, strlen($0)) }
        close(descriptor)
        isLookedAt = true
        self.loan = loan
        return count == text.utf8.count && rename(draft, path) == 0
    }

    /// Nothing is ours any more.
    func remove() {
        loan = nil
        if let path { unlink(path) }
    }

    /// What an earlier run of the daemon has not given back since this boot; nil from the second time on, since what
    /// there is then is of this run.
    func takeLeftover() -> Loan? {
        guard !isLookedAt, let path else { return nil }
        isLookedAt = true
        // Not blocking: a pipe in the place of the file would be waited for.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: Self.longest)
        let count = read(descriptor, &bytes, bytes.count)
        let parts = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).split(separator: "\n", maxSplits: 1)
        guard parts.count == 2, let boot, parts[0] == boot else { return nil }
        return Loan(parsing: String(parts[1]))
    }

    /// No note of ours is longer.
    private static let longest = 1_024

    /// This boot's name: systemd's word for it where it is given (a confined service may not see the kernel's), else
    /// the kernel's.
    package static func bootID() -> String? {
        if let given = getenv("ORIENTATIOND_BOOT_ID").map({ String(cString: $0) }), !given.isEmpty { return given }
        let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: longest)
        let count = read(descriptor, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(count, 0)).prefix { $0 != 10 }, as: UTF8.self)
        // Without hyphens, as systemd writes it: both ways must name one boot alike.
        return text.isEmpty ? nil : text.filter { $0 != "-" }
    }
}
