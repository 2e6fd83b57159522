// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Another program, run once with a text as its input. Its own messages are dropped: ours is one line.
enum Converter {
    /// - Throws: ``Failure``, when it cannot be started.
    static func run(_ arguments: [String], input: String) throws -> ProgramEnd {
        let pipe = try Pipe()
        // A program that ends early closes the pipe: that is told by its status, not by a signal.
        signal(SIGPIPE, SIG_IGN)
        let program = Result { try LaunchedProgram(arguments, input: .to(pipe.reading), errors: .nothing) }
        close(pipe.reading)
        if case .success = program { _ = TextOutput.write(Array(input.utf8), to: pipe.writing) }
        close(pipe.writing)
        return try program.get().wait()
    }
}
