// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import OrientationTool

/// Error messages for invalid arguments.
@Suite struct ArgumentTests {
    @Test(arguments: [
        (["foo", "bar"], "unknown command 'foo': valid: status, watch, doctor, "),
        (["help", "foo"], "unknown command 'foo': valid: status, watch, doctor, "),
        (["status", "foo"], "unexpected argument 'foo'"),
        (["status", "--jsn"], "unknown option '--jsn'; did you mean '--json'? see --help"),
        (
            ["lock", "portrait"],
            "a lock takes one orientation or an edge; valid: here, natural, portrait-primary, portrait-secondary, landscape-primary, landscape-secondary, top, left, bottom, right"
        ),
        (
            ["lock", "landscapeLeft"],
            "landscapeLeft is landscape-primary as a pose, landscape-secondary as an interface; a lock takes one"
        ),
        (["lock", "landscape-p"], "edge: invalid value 'landscape-p': valid: here, natural, portrait-primary"),
        (
            ["simulate", "potrait"],
            "invalid word 'potrait': valid: hold, turn, shake, read, fail, tablet, laptop, fold, light, proximity, compass, portrait"
        ),
        (["simulate", "fail", "gon"], "fail: invalid value 'gon': valid: failed, gone, silent"),
        (["simulate", "turn", "up"], "turn: invalid value 'up': valid: portrait, portraitUpsideDown, landscapeLeft"),
        (["simulate", "proximity", "mid"], "proximity: invalid value 'mid': must be near or far"),
        (["watch", "--classifier", "clam"], "standard, calm, quick"),
        (["daemon", "--log-level", "loud"], "--log-level: invalid value 'loud': valid: trace, debug, info"),
        (["convert", "--format", "csvv", "x"], "must be csv or recording"),
        (["convert"], "missing expected argument '<file>'"),
    ])
    func `an unknown word is refused with the valid ones`(
        arguments: [String], message: String
    ) throws {
        try expectWrongUsage(arguments, message)
    }

    @Test(arguments: [
        (["simulate", "shake", "--duration", "nan"], "from 0 to 3600"),
        (["simulate", "shake", "--duration", "-1"], "from 0 to 3600"),
        (["simulate", "turn", "portrait", "--duration=1e300"], "from 0 to 3600"),
        (["simulate", "read", "0", "9.81", "1e9"], "from -1000 to 1000"),
        (["simulate", "read", "0", "inf", "0"], "from -1000 to 1000"),
        (["simulate", "read", "0", "9.81"], "read: invalid number of values 2: must be 3"),
        (["simulate", "read", "--foo", "1", "2", "3"], "unknown option '--foo'"),
        (["simulate", "light", "-5"], "light: invalid value '-5': must be a number from 0 to 200000"),
        (["simulate", "light"], "light: invalid number of values 0: must be 1"),
        (["simulate", "light", "0x10"], "light: invalid value '0x10': must be a number from 0 to 200000"),
        (["simulate", "light", "1", "2"], "light: invalid number of values 2: must be 1"),
        (["simulate", "light", "--foo"], "unknown option '--foo'"),
        (["simulate", "compass", "-10"], "compass: invalid value '-10': must be a number from 0 to 360"),
        (["simulate", "compass", "north"], "compass: invalid value 'north': must be a number from 0 to 360"),
        (["watch", "--count", "0"], "--count: invalid value '0': must be a whole number from 1"),
        (["watch", "--count", "1.5"], "a whole number from 1"),
        (["watch", "--duration", "-1"], "from 0.001"), (["watch", "--debounce", "-1", "--exec", "true"], "from 0 to"),
        (["record", "--rate", "100000", "x"], "from 0.1 to 200"), (["record", "--duration", "0", "x"], "from 0.001"),
        (["calibrate", "--poses", "7"], "a whole number from 4 to 6"),
        (["doctor", "--duration", "601"], "from 0 to 600"), (["status", "--timeout", "0"], "from 0.1 to 3600"),
    ])
    func `a number out of range is refused with the range`(arguments: [String], message: String) throws {
        try expectWrongUsage(arguments, message)
    }

    @Test(arguments: [
        (["watch", "--json", "--plain"], "--json and --plain are mutually exclusive"),
        (["lock", "--json", "--quiet"], "are mutually exclusive"),
        (["watch", "--debounce", "1"], "--debounce requires --exec"),
        (["daemon", "--quiet"], "--quiet requires --log-level"),
        (["daemon", "--json", "--quiet", "--log-level", "info"], "--json and --quiet are mutually exclusive"),
        (["simulate", "light", "1", "--duration", "1"], "not valid for light: valid for turn, shake, fail"),
        (
            ["watch", "--classifier", "calm,dwell"],
            "orientationctl: --classifier: invalid value 'calm,dwell': invalid change 'dwell': must be name=number"
        ),
        (["hold", "--socket", "/x", "--landscape", "true"], "--socket must precede hold"),
        (["hold", "--landscape", "--timeout=1", "true"], "--timeout must precede hold"),
        (["--socket", "/x", "classify", "x"], "--socket: not valid for classify, which calls no daemon"),
        (["plot", "--timeout", "1", "x", "-o", "x.svg"], "--timeout: not valid for plot, which calls no daemon"),
        (["--timeout", "1", "convert", "x"], "--timeout: not valid for convert, which calls no daemon"),
        (["convert", "x", "--socket", "/x"], "--socket: not valid for convert, which calls no daemon"),
        (["--timeout", "1", "watch"], "--timeout: not valid for watch, which waits for the daemon"),
        (["watch", "--timeout", "1"], "--timeout: not valid for watch"),
        (["watch", "--waybar", "--json"], "--waybar and --json, --plain or --timestamps are mutually exclusive"),
        (["lock", "--toggle", "natural"], "--toggle, --cycle and an edge are mutually exclusive"),
        (["lock", "--toggle", "--cycle"], "--toggle, --cycle and an edge are mutually exclusive"),
        (["watch", "--suggest"], "--suggest requires --waybar"),
        (
            ["hold", "--landscape", "--portrait", "--", "true"],
            "--landscape, --portrait and --orientations are mutually exclusive"
        ), (["hold", "--landscape", "--", ""], "a program is required"),
        (["hold", "--landscape"], "a program is required"),
        (["hold", "--", "true"], "one of --landscape, --portrait and --orientations is required"),
        (["hold", "--orientation", "portrait", "mpv"], "unknown option '--orientation'"),
        (["hold", "--landscape", "--app-id", "", "--", "true"], "--app-id: invalid value '': must have"),
        (
            ["hold", "--portrait", "--app-id", String(repeating: "a", count: 300), "--", "true"],
            "--app-id: invalid value '\(String(repeating: "a", count: 100))...': must have 1 to 255 bytes"
        ),
        (
            ["hold", "--orientations", "LANDSCAPELEFT, portrait", "--", "true"],
            "orientations: invalid value 'LANDSCAPELEFT, portrait': ' portrait': valid: "
        ),
        (["plot", "x", "-o", "x.gif"], "--output: invalid value 'x.gif': must end in .svg"),
        (["doctor", "--overwrite"], "--overwrite requires --report"),
        (["doctor", "--duration", "5"], "--duration requires --report"),
        (["classify", ""], "file: invalid value '': must be a file name, or -"),
        (["calibrate", "--from", ""], "--from: invalid value '': must be a file name, or -"),
        (["doctor", "--report", "-"], "--report: invalid value '-': must be a file name"),
        (["watch", "--exec", ""], "--exec: invalid value '': must be a shell command"),
        (["calibrate", "--undo", "--json"], "--undo cannot be combined with other options"),
        (["record", ""], "file: invalid value '': must be a file name, or -"),
        (["--socket", "", "status"], "--socket: invalid value '': must not be empty"),
    ])
    func `contradicting options are refused before any file is read`(arguments: [String], message: String) throws {
        try expectWrongUsage(arguments, message)
    }

    @Test func `a recording to a symbolic link without its file is refused before the daemon is called`() throws {
        let folder = try TemporaryDirectory()
        #expect(symlink("missing", folder.path("link.rec")) == 0)
        let run = try Run(["record", folder.path("link.rec")])
        #expect(run.status == 1)
        #expect(run.error.contains("link.rec: cannot write: symbolic link to a missing file; use --overwrite"))
    }

    private func expectWrongUsage(_ arguments: [String], _ message: String) throws {
        let run = try Run(arguments)
        #expect(run.status == 64)
        #expect(run.output == "")
        #expect(run.error.contains(message), "\(run.error)")
        #expect(run.error.filter(\.isNewline).count == 1)
        #expect(run.error.hasPrefix("orientationctl: "))
        #expect(!run.error.contains("{"))
    }

    @Test func `in the C locale text is ASCII, and JSON escapes other characters`() throws {
        let encoding = TextEncoding(isUTF8: false)
        #expect(encoding.text("12°, −9.8 m/s² … é") == "12 deg, -9.8 m/s^2 ... ?")
        #expect(encoding.json(#"{"a":"é😀"}"#) == #"{"a":"\u00e9\ud83d\ude00"}"#)
        #expect(TextEncoding(isUTF8: true).text("12°") == "12°")
        for command in ["", "watch", "record", "simulate", "calibrate", "plot"] {
            let help = try Run(["help"] + (command.isEmpty ? [] : [command]), environment: ["LC_ALL": "C"])
            #expect(help.output.utf8.allSatisfy { $0 < 0x80 })
        }
        let wrong = try Run(["simulate", "read", "ä", "0"], environment: ["LC_ALL": "C"])
        #expect(wrong.error.utf8.allSatisfy { $0 < 0x80 })
    }
}
