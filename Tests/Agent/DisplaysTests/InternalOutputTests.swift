// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Displays

@Suite struct InternalOutputTests {
    @Test func `an internal connector is chosen before an external one, whatever their order`() {
        let outputs = [Output(name: "DP-1"), Output(name: "eDP-1")]
        #expect(InternalOutput(among: outputs)?.name == "eDP-1")
        #expect(InternalOutput(among: outputs)?.reason == .internalConnector)
        #expect(InternalOutput(among: [Output(name: "HDMI-1"), Output(name: "DSI1")])?.name == "DSI1")
        let off = Output(name: "eDP-3", isEnabled: false)
        #expect(InternalOutput(among: [Output(name: "eDP-2"), Output(name: "eDP-1"), off])?.others == ["eDP-2"])
    }

    @Test func `an enabled internal output is chosen before a disabled one`() {
        let outputs = [Output(name: "DSI-1", isEnabled: false), Output(name: "eDP-1")]
        #expect(InternalOutput(among: outputs)?.name == "eDP-1")
    }

    @Test func `the only output is chosen; among several external ones none is`() {
        #expect(InternalOutput(among: [Output(name: "HDMI-A-1")])?.reason == .onlyOutput)
        #expect(InternalOutput(among: [Output(name: "HDMI-A-1"), Output(name: "DP-1")]) == nil)
        #expect(InternalOutput(among: []) == nil)
    }

    @Test func `the option has priority, and a name that is not connected chooses none`() {
        let outputs = [Output(name: "DP-1"), Output(name: "eDP-1")]
        #expect(InternalOutput(among: outputs, option: "DP-1")?.reason == .option)
        #expect(InternalOutput(among: outputs, option: "DP-2") == nil)
        let both = InternalOutput(among: outputs, option: "eDP-1,DP-1")
        #expect(both?.name == "eDP-1" && both?.companions == ["DP-1"])
        #expect(InternalOutput(among: outputs, option: "eDP-2,DP-1")?.name == "DP-1")
        #expect(InternalOutput(among: outputs, option: "DP-1,DP-1")?.companions == [])
        let off = [Output(name: "eDP-1", isEnabled: false), Output(name: "DP-1")]
        let enabled = InternalOutput(among: off, option: "eDP-1,DP-1")
        #expect(enabled?.name == "DP-1" && enabled?.companions == ["eDP-1"])
        #expect(InternalOutput(among: off, option: "eDP-1")?.name == "eDP-1")
    }
}
