// SPDX-License-Identifier: Apache-2.0

internal import CXCB

extension X11Connection {
    /// The limits on what a server may list: more is an error of the server.
    private enum Limit {
        static let connectors = 256
        /// The name of an output in bytes; drivers use less than 20.
        static let name = 255
    }

    /// Checks for RandR 1.3 and selects its events.
    func requireRandR() throws(X11Failure) {
        guard try !hasExtension("XWAYLAND") else {
            throw .ended("it is Xwayland, which cannot rotate outputs; set WAYLAND_DISPLAY")
        }
        guard let randr = cxcb_randr(handle), randr.pointee.present != 0 else {
            throw .ended("it lacks the extension RANDR")
        }
        let cookie = xcb_randr_query_version(handle, 1, 3)
        let isNew = try reply(to: cookie.sequence, xcb_randr_query_version_reply_t.self) { reply, _ in
            (reply.major_version, reply.minor_version) >= (1, 3)
        }
        guard isNew else { throw .ended("its RANDR is older than version 1.3") }
        let events =
            XCB_RANDR_NOTIFY_MASK_SCREEN_CHANGE.rawValue | XCB_RANDR_NOTIFY_MASK_CRTC_CHANGE.rawValue
            | XCB_RANDR_NOTIFY_MASK_OUTPUT_CHANGE.rawValue
        try check(xcb_randr_select_input_checked(handle, root, UInt16(truncatingIfNeeded: events)))
    }

    func readScreen() throws(X11Failure) -> X11Screen {
        let geometry = xcb_get_geometry(handle, root)
        let range = xcb_randr_get_screen_size_range(handle, root)
        let resources = xcb_randr_get_screen_resources_current(handle, root)
        let size = try reply(to: geometry.sequence, xcb_get_geometry_reply_t.self) { reply, _ in
            LayoutSize(width: Int(reply.width), height: Int(reply.height))
        }
        let (smallest, greatest) = try reply(to: range.sequence, xcb_randr_get_screen_size_range_reply_t.self) {
            limits, _ in
            (
                LayoutSize(width: Int(limits.min_width), height: Int(limits.min_height)),
                LayoutSize(width: Int(limits.max_width), height: Int(limits.max_height))
            )
        }
        var screen = X11Screen(
            size: size, smallest: smallest, greatest: greatest, controllers: [], connectors: [], modes: [:])
        var controllers: [UInt32] = []
        var connectors: [UInt32] = []
        let time = try reply(to: resources.sequence, xcb_randr_get_screen_resources_current_reply_t.self) {
            info, reader -> xcb_timestamp_t? in
            guard let allControllers = reader.read(UInt32.self, count: Int(info.num_crtcs)),
                let allConnectors = reader.read(UInt32.self, count: Int(info.num_outputs)),
                let modes = reader.read(xcb_randr_mode_info_t.self, count: Int(info.num_modes))
            else { return nil }
            controllers = Array(allControllers.prefix(Limit.connectors))
            connectors = Array(allConnectors.prefix(Limit.connectors))
            for mode in modes { screen.modes[mode.id] = PixelSize(width: Int(mode.width), height: Int(mode.height)) }
            return info.config_timestamp
        }
        // All requests before the first reply: one round trip.
        let controllerCookies = controllers.map { xcb_randr_get_crtc_info(handle, $0, time) }
        let connectorCookies = connectors.map { xcb_randr_get_output_info(handle, $0, time) }
        for (identifier, cookie) in zip(controllers, controllerCookies) {
            screen.controllers.append(
                try reply(to: cookie.sequence, xcb_randr_get_crtc_info_reply_t.self) { info, reader in
                    reader.read(UInt32.self, count: Int(info.num_outputs)).map { connectors in
                        X11Screen.Controller(
                            identifier: identifier,
                            rectangle: LayoutRectangle(
                                x: Int(info.x), y: Int(info.y), width: Int(info.width), height: Int(info.height)),
                            mode: info.mode, rotation: X11Rotation(rawValue: info.rotation),
                            supported: X11Rotation(rawValue: info.rotations),
                            connectors: Array(connectors.prefix(Limit.connectors)))
                    }
                })
        }
        for (identifier, cookie) in zip(connectors, connectorCookies) {
            let (info, name) = try reply(to: cookie.sequence, xcb_randr_get_output_info_reply_t.self) { info, reader in
                // Before the name: the numbers of CRTCs, modes and clones.
                let isNext = reader.skip((Int(info.num_crtcs) + Int(info.num_modes) + Int(info.num_clones)) * 4)
                return isNext ? reader.readBytes(Int(info.name_len)).map { (info, $0) } : nil
            }
            guard name.count <= Limit.name else { throw .ended("the name of an output has \(name.count) bytes") }
            if info.connection == UInt8(XCB_RANDR_CONNECTION_CONNECTED.rawValue) || info.crtc != 0 {
                screen.connectors.append(
                    X11Screen.Connector(
                        identifier: identifier, name: String(decoding: name, as: UTF8.self), controller: info.crtc,
                        millimeters: LayoutSize(width: Int(info.mm_width), height: Int(info.mm_height))))
            }
        }
        return screen
    }

    /// Performs a plan, step by step; the caller has grabbed the server.
    func perform(_ plan: X11Plan) throws(X11Failure) {
        for controller in plan.turnedOff {
            try configure(controller.identifier, LayoutRectangle(x: 0, y: 0, width: 0, height: 0), 0, .rotate0, [])
        }
        if let size = plan.size {
            // The resolution stays.
            let (pixels, millimeters) = firstSize
            let perPixel = pixels.height > 0 ? Double(millimeters.height) / Double(pixels.height) : 0
            let width = UInt32((Double(size.width) * perPixel).rounded())
            let height = UInt32((Double(size.height) * perPixel).rounded())
            try check(
                xcb_randr_set_screen_size_checked(
                    handle, root, UInt16(clamping: size.width), UInt16(clamping: size.height), width, height))
        }
        for controller in plan.set {
            try configure(
                controller.identifier, controller.rectangle, controller.mode, controller.rotation, controller.connectors
            )
        }
    }

    /// The results of RRSetCrtcConfig.
    private enum Status {
        static let success: UInt8 = 0
        static let invalidConfigTime: UInt8 = 1
        static let invalidTime: UInt8 = 2
    }

    private func configure(
        _ controller: UInt32, _ rectangle: LayoutRectangle, _ mode: UInt32, _ rotation: X11Rotation,
        _ connectors: [UInt32]
    ) throws(X11Failure) {
        let time = try configurationTime()
        let cookie = xcb_randr_set_crtc_config(
            handle, controller, xcb_timestamp_t(XCB_CURRENT_TIME), time, Int16(clamping: rectangle.x),
            Int16(clamping: rectangle.y), mode, rotation.rawValue, UInt32(connectors.count), connectors)
        let status = try reply(to: cookie.sequence, xcb_randr_set_crtc_config_reply_t.self) { reply, _ in reply.status }
        switch status {
        case Status.success: return
        case Status.invalidConfigTime, Status.invalidTime: throw .refused("the configuration is outdated")
        default: throw .refused("the driver cannot set the mode")
        }
    }

    /// The time of the last change of the configuration, which requests must name.
    private func configurationTime() throws(X11Failure) -> xcb_timestamp_t {
        let cookie = xcb_randr_get_screen_resources_current(handle, root)
        return try reply(to: cookie.sequence, xcb_randr_get_screen_resources_current_reply_t.self) { reply, _ in
            reply.config_timestamp
        }
    }
}
