// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Displays

@Suite struct X11ExchangeTests {
    private let outputs = [Output(name: "screen", isEnabled: true)]

    @Test func `a configuration that was requested without the newest outputs is outdated`() throws {
        let exchange = try X11Exchange()
        exchange.post(.outputs(outputs))
        exchange.request(.apply(outputs))
        _ = exchange.takeEvents()
        #expect(isOutdated(exchange.nextStep()) == true)
        exchange.request(.apply(outputs))
        #expect(isOutdated(exchange.nextStep()) == false)
    }

    @Test func `the result of a replaced configuration is dropped`() throws {
        let exchange = try X11Exchange()
        exchange.request(.apply(outputs))
        _ = exchange.nextStep()
        exchange.request(.apply([]))
        exchange.post(.failed("former"))
        exchange.post(.outputs(outputs))
        #expect(exchange.takeEvents() == [.outputs(outputs)])
        _ = exchange.nextStep()
        exchange.request(.alignInput(to: "screen"))
        exchange.post(.applied)
        #expect(exchange.takeEvents() == [.applied])
    }

    private func isOutdated(_ step: X11Exchange.Step) -> Bool? {
        if case .perform(_, let isOutdated) = step { isOutdated } else { nil }
    }
}
