// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A completed run of the tool.
struct Run {
    let status: Int32
    let output: String
    let error: String

    init(
        _ arguments: [String], program: String = Programs.tool, input: String = "",
        environment: [String: String] = [:], folder: URL? = nil
    ) throws {
        let run = try RunningProgram.run(
            program, arguments, environment: environment, input: input, directory: folder?.path, timeout: 300)
        status = run.status
        output = run.output.map { $0 + "\n" }.joined()
        error = run.errors
    }
}

extension TemporaryDirectory {
    var url: URL { URL(filePath: path) }

    /// Returns the path of a file, which is written first if there is a text.
    func file(_ name: String, _ text: String? = nil) throws -> String {
        if let text { try write(text, to: name) }
        return path(name)
    }

    /// Returns the text of a file.
    func text(_ name: String) throws -> String { try text(of: name) }
}
