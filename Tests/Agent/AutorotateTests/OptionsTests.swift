// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Systemd
import Testing

@testable import Autorotate

@Suite struct OptionsTests {
    private func parse(_ arguments: String...) -> ProgramRequest<Options> {
        Options.parse(["orientation-autorotate"] + arguments)
    }

    @Test func `every option sets its value`() {
        var expected = Options()
        expected.settings.output = "DSI-1"
        expected.settings.when = .always
        expected.settings.orientations = OrientationList([.portrait, .landscapePrimary])
        expected.settings.restoresOnExit = false
        expected.settings.isDryRun = true
        expected.command = "true"
        expected.printsJSON = true
        #expect(
            parse(
                "--output", "DSI-1", "--when=always", "--orientations", "Portrait,LANDSCAPE-primary",
                "--on-exit", "keep", "--dry-run", "--exec", "true", "--json") == .run(expected))
        #expect(parse() == .run(Options()))
    }

    @Test(arguments: [
        (["--when", "sometimes"], "--when: invalid value 'sometimes': must be always, tablet or never"),
        (["--on-exit", "x"], "--on-exit: invalid value 'x': must be restore or keep"),
        (
            ["--orientations", "portrait,,up"],
            "--orientations: invalid value '': must be natural, portrait, landscape, any, portrait-primary, "
                + "portrait-secondary, landscape-primary, landscape-secondary, top, left, bottom or right"
        ),
        (
            ["--orientations", "portrait,landscapeLeft"],
            "--orientations: invalid value 'landscapeLeft': must be natural, portrait, landscape, any, portrait-primary, "
                + "portrait-secondary, landscape-primary, landscape-secondary, top, left, bottom or right; landscapeLeft is "
                + "landscape-primary as a pose, landscape-secondary as an interface"
        ),
        (["--output", ""], "--output: invalid value '': must not be empty"),
        (["eDP-1"], "unexpected argument 'eDP-1'"), (["--turn"], "unknown option --turn"),
        (["--exec"], "--exec: value missing"),
    ])
    func `an invalid value is refused with the valid ones`(arguments: [String], message: String) {
        #expect(Options.parse(["orientation-autorotate"] + arguments) == .refuse(message))
    }
}
