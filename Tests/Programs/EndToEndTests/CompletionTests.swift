// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The completions of bash, zsh and fish, with names that a shell would run.
@Suite(.serialized) struct CompletionTests {
    private static let completions = Programs.packageFolder + "/packaging/completions/"
    /// Names of files and what is completed of them at least; bash completes no name with a line feed.
    private static let names = [
        ("a$(touch ran)", "a$(touch ran)>"), ("b`touch ran`", "b`touch ran`>"), ("c\"d'e f", "c\"d'e f>"),
        ("h*", "h*>"), ("n\n;touch ran;", "n"),
    ]
    /// What `orientation-autorotate --list --json` prints of a hostile display server; other arguments are printed.
    private static let agent = #"""
        #!/bin/sh
        [ "$1" = --list ] || { printf '<%s>' "$@"; exit; }
        cat <<'END'
        {"outputs":[{"name":"$(touch ran)"},{"name":"`touch ran`"},{"name":"a\"b\nc d"},{"name":"DP-1"}]}
        END
        """#

    /// Writes the file that a shell reads first, and starts the shell in the folder of the hostile names.
    private func start(_ shell: String, in folder: TemporaryDirectory) throws -> TerminalWindow {
        for name in ["scripts", "bin", "names"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
        }
        let tool = try RunningProgram.run(Programs.tool, ["--generate-completion-script", shell]).output
        try folder.write(tool.joined(separator: "\n"), to: "scripts/_orientationctl")
        for program in ["orientationd", "orientation-autorotate"] {
            let text = try String(contentsOfFile: "\(Self.completions)\(program).\(shell)", encoding: .utf8)
            try folder.write(text, to: "scripts/_\(program)")
        }
        try Programs.write(Self.agent, to: folder.path("bin/orientation-autorotate"))
        for (name, _) in Self.names { try folder.write("", to: "names/\(name)") }
        let load =
            shell == "bash"
            ? "for file in ../scripts/*; do . $file; done"
            : "fpath+=$PWD/../scripts; autoload -U compinit; compinit -u -D"
        let setup = try folder.write(
            """
            cd '\(folder.path)/names'; PATH=../bin:$PATH
            \(load)
            orientationd() { printf '<%s>' "$@"; echo; }
            orientationctl() { orientationd "$@"; }
            echo loaded
            """, to: "setup")
        let isolated = shell == "bash" ? ["--norc", "--noprofile"] : ["-f"]
        let window = try TerminalWindow(100, 50, [shell] + isolated + ["-i"], environment: ["INPUTRC": "/dev/null"])
        try window.type(". \(setup)\r")
        try window.until("loaded")
        return window
    }

    @Test(arguments: ["bash", "zsh"])
    func `names of files that a shell would run are completed quoted`(shell: String) throws {
        let folder = try TemporaryDirectory()
        let window = try start(shell, in: folder)
        for (words, printed) in [
            ("orientationd --socket ", "<--socket><"), ("orientationd --sensor replay:", "<--sensor><replay:"),
            ("orientation-autorotate --socket ", "<--socket><"), ("orientationctl record ", "<record><"),
        ] {
            for (name, end) in Self.names {
                try window.type("clear; \(words)\(name.prefix(1))\t\r")
                try window.until(printed + end)
            }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/names/ran"))
    }

    @Test(arguments: ["bash", "zsh"])
    func `outputs are offered, but none whose name a shell would run`(shell: String) throws {
        let folder = try TemporaryDirectory()
        let window = try start(shell, in: folder)
        try window.type("orientation-autorotate --output \t\r")
        try window.until("<--output><DP-1>")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/names/ran"))
    }

    @Test(arguments: [
        ("orientationd --sensor ", "evdev:"), ("orientation-autorotate --when ", "tablet"),
        ("orientation-autorotate --output ", "DP-1"), ("orientationctl lock ", "landscape-primary"),
        ("orientationctl daemon --log-level ", "notice"),
    ])
    func `fish offers words, and no output whose name a shell would run`(command: String, word: String) throws {
        let folder = try TemporaryDirectory()
        try Programs.write(Self.agent, to: folder.path("orientation-autorotate"))
        let fish = try RunningProgram.run(
            "/usr/bin/fish",
            [
                "--no-config", "-c",
                "\(Programs.tool) --generate-completion-script fish | source; "
                    + "source \(Self.completions)orientationd.fish; "
                    + "source \(Self.completions)orientation-autorotate.fish; complete -C '\(command)'",
            ], environment: ["PATH": folder.path + ":/usr/bin:/bin"])
        #expect(fish.errors.isEmpty)
        let words = fish.output.compactMap { $0.split(separator: "\t").first.map(String.init) }
        #expect(words.contains(word) && !words.contains { $0.contains("touch") }, "\(words)")
    }
}
