// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Displays

@Suite struct X11ExchangeTests {
    private let outputs = [Output(name: "screen", isEnabled: true)]

    @Test func `a configuration that was requested without the newest outputs is outdated`() throws {
        let exchange = try X11Exchange()
        exchange.post(.outputs(outputs))
        exchange.apply(outputs)
        _ = exchange.takeEvents()
        #expect(exchange.nextStep() == .apply(outputs, isOutdated: true))
        exchange.apply(outputs)
        #expect(exchange.nextStep() == .apply(outputs, isOutdated: false))
    }

    @Test func `the result of a replaced configuration is dropped`() throws {
        let exchange = try X11Exchange()
        exchange.apply(outputs)
        _ = exchange.nextStep()
        exchange.apply([])
        exchange.post(.failed("former"))
        exchange.post(.outputs(outputs))
        #expect(exchange.takeEvents() == [.outputs(outputs)])
        _ = exchange.nextStep()
        exchange.alignInput(to: "screen")
        exchange.post(.applied)
        #expect(exchange.takeEvents() == [.applied])
        #expect(exchange.nextStep() == .alignInput(to: "screen"))
    }
}
