// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@Suite struct SensorChoiceTests {
    private func candidate(
        _ number: Int, location: String = "display", canCapture: Bool = false, recentFailure: String? = nil
    ) -> SensorChoice.Candidate {
        SensorChoice.Candidate(
            info: SensorDescription(id: "iio:device\(number)", name: "chip\(number)", location: location),
            label: "label\(number)", canCapture: canCapture, recentFailure: recentFailure)
    }

    private func chosen(_ candidates: [SensorChoice.Candidate], wanted: String? = nil) -> String? {
        let listings = SensorChoice.listings(candidates, wanted: wanted)
        #expect(listings.allSatisfy { !$0.why.isEmpty })
        #expect(listings.filter(\.isChosen).count <= 1)
        return listings.first(where: \.isChosen)?.id
    }

    @Test func `among equal sensors the lowest number is chosen, in any order`() {
        #expect(chosen([candidate(10), candidate(9)]) == "iio:device9")
        #expect(chosen([candidate(9), candidate(10)]) == "iio:device9")
    }

    @Test func `a captured sensor is preferred to a polled one`() {
        #expect(chosen([candidate(0), candidate(1, canCapture: true)]) == "iio:device1")
    }

    @Test func `a sensor in the base is chosen only on request`() {
        let base = candidate(0, location: "base", canCapture: true)
        #expect(chosen([base, candidate(1)]) == "iio:device1")
        #expect(chosen([base]) == nil)
        #expect(chosen([base, candidate(1)], wanted: "label0") == "iio:device0")
    }

    @Test(arguments: ["iio:device3", "device3", "chip3", "label3"])
    func `a request matches the id with or without the scheme, the name and the label`(name: String) {
        #expect(chosen([candidate(0), candidate(3)], wanted: name) == "iio:device3")
        #expect(chosen([candidate(0), candidate(4)], wanted: name) == nil)
    }

    @Test func `a sensor in a camera is not chosen without a request`() {
        #expect(chosen([candidate(0, location: "camera")]) == nil)
    }

    @Test func `a sensor with a recent failure is chosen only if there is no other`() {
        let broken = candidate(0, canCapture: true, recentFailure: "timed out")
        #expect(chosen([broken, candidate(1)]) == "iio:device1")
        #expect(chosen([broken]) == "iio:device0")
        #expect(SensorChoice.listings([broken, candidate(1)], wanted: nil)[0].why == "recent failure: timed out")
    }

    @Test func `a sensor with a defect is not chosen, not even on request, and is listed last`() {
        var broken = candidate(0)
        broken.defect = "incomplete accelerometer"
        let listings = SensorChoice.listings([broken, candidate(1)], wanted: "chip0")
        #expect(listings.map(\.id) == ["iio:device1", "iio:device0"])
        #expect(listings.map(\.why) == ["not 'chip0'", "incomplete accelerometer"])
        #expect(
            SensorChoice.absence(of: "chip0", "on this machine", among: listings)
                == "no accelerometer 'chip0' on this machine; iio:device1 (chip1): not 'chip0'; "
                + "iio:device0 (chip0): incomplete accelerometer")
    }

    @Test func `each listing states the reason of the choice`() {
        let listings = SensorChoice.listings(
            [
                candidate(0), candidate(1, canCapture: true), candidate(2, location: "base"),
                candidate(3, canCapture: true),
            ],
            wanted: nil)
        #expect(
            listings.map(\.why) == [
                "polled, while iio:device1 is captured",
                "in the display, and captured instead of polled",
                "in the base, not in the display",
                "equal to iio:device1, which has a lower number",
            ])
    }
}
