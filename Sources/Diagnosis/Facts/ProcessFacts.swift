// SPDX-License-Identifier: Apache-2.0

/// The processes that have to do with accelerometers.
package struct ProcessFacts: Hashable, Sendable {
    package var processes: [Process] = []
    /// Whether the files of every process could be looked at; only root can.
    package var isComplete = true

    package init() {}

    package struct Process: Hashable, Sendable {
        package var identifier: Int
        /// As the kernel has it, at most 15 bytes.
        package var name: String
        /// The words that it was started with; only those of the daemon are kept.
        package var arguments: [String]
        /// The nodes of industrial-I/O devices that it has open, without `/dev/`.
        package var nodes: Set<String>

        package init(identifier: Int, name: String, arguments: [String] = [], nodes: Set<String> = []) {
            self.identifier = identifier
            self.name = name
            self.arguments = arguments
            self.nodes = nodes
        }

        /// For a sentence.
        var title: String { "the program \(name) (process \(identifier))" }
    }

    /// The kernel cuts a name off after so many bytes.
    private static let nameLength = 15

    package func named(_ name: String) -> [Process] {
        processes.filter { $0.name == String(name.prefix(Self.nameLength)) }
    }

    /// Who has the node of a device open.
    func holders(of device: String) -> [Process] {
        processes.filter { $0.nodes.contains(device) }
    }
}
