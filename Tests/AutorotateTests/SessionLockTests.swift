// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Autorotate

@Suite("SessionLock") struct SessionLockTests {
    @Test(
        "different spellings of one display have one lock",
        arguments: [
            (["WAYLAND_DISPLAY": "wayland-1"], "/run/x/orientation-autorotate/wayland-1.lock"),
            (["WAYLAND_DISPLAY": "/run/x/wayland-1"], "/run/x/orientation-autorotate/wayland-1.lock"),
            (["WAYLAND_DISPLAY": "/other/name"], "/run/x/orientation-autorotate/_other_name.lock"),
            (["DISPLAY": ":0"], "/run/x/orientation-autorotate/:0.lock"),
            (["DISPLAY": ":0.0"], "/run/x/orientation-autorotate/:0.lock"),
            (["DISPLAY": "host.example:0.1"], "/run/x/orientation-autorotate/host.example:0.lock"),
            (["WAYLAND_DISPLAY": "wayland-1", "DISPLAY": ":0"], "/run/x/orientation-autorotate/wayland-1.lock"),
        ])
    func name(environment: [String: String], path: String) {
        let all = environment.merging(["XDG_RUNTIME_DIR": "/run/x"]) { first, _ in first }
        #expect(SessionName(all)?.path == path)
        #expect(SessionName(environment) == nil)
    }
}
