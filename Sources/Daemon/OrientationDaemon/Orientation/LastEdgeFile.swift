// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Posix
internal import Systemd

/// The edge of the panel that was up last, in the state directory: for the next start of the daemon in the same boot.
struct LastEdgeFile {
    private static let fileName = "last-edge"
    /// The largest valid file, in bytes.
    private static let longest = 128

    private let file: StateFile?
    private let bootID: String?

    /// A file in `folder`; nil to store nothing.
    init(folder: String?, bootID: String?) {
        file = folder.map { StateFile(path: "\($0)/\(Self.fileName)", longest: Self.longest) }
        self.bootID = bootID
    }

    /// Reads the edge and removes the file: after a crash the edge would be outdated. Returns nil if the file is missing,
    /// damaged, or of an earlier boot, or if read(2) fails: the first reading gives another edge.
    func take() -> PanelEdge? {
        let text = try? file?.read()
        file?.remove()
        let words = (text ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
        guard words.count == 2, words[0] == bootID else { return nil }
        return PanelEdge(words[1])
    }

    /// Writes the edge; nil writes nothing. A failure is logged: the next start has no last edge. Does not wait for the
    /// disk: after a power failure the edge is not used.
    func write(_ edge: PanelEdge?, log: Logger) {
        guard let file, let bootID, let edge else { return }
        do throws(Errno) { try file.replace(with: "\(bootID) \(edge)\n", isDurable: false) } catch {
            log.info("last edge: cannot write: \(error)")
        }
    }
}
