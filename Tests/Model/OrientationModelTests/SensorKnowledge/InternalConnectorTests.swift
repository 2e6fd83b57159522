// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@Suite struct InternalConnectorTests {
    @Test func `a connector of a panel in the device is internal, others are not`() {
        for name in ["eDP-1", "eDP1", "LVDS-1", "DSI-1", "DPI-1", "card0-eDP-1", "card1-DSI-2"] {
            #expect(InternalConnector.includes(name), "\(name)")
        }
        for name in ["DP-1", "HDMI-A-1", "card0-DP-1", "card0-HDMI-A-1", "Virtual-1", ""] {
            #expect(!InternalConnector.includes(name), "\(name)")
        }
    }
}
