// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import IIOSensing

@Suite struct SensorChoiceTests {
    private func candidate(
        _ number: Int, location: String = "display", canCapture: Bool = false, trouble: String? = nil
    ) -> SensorChoice.Candidate {
        SensorChoice.Candidate(
            info: SensorDescription(id: "iio:device\(number)", name: "chip\(number)", location: location),
            label: "label\(number)", canCapture: canCapture, trouble: trouble)
    }

    private func chosen(_ candidates: [SensorChoice.Candidate], wanted: String? = nil) -> String? {
        let listings = SensorChoice.listings(candidates, wanted: wanted)
        #expect(listings.allSatisfy { !$0.why.isEmpty })
        #expect(listings.filter(\.isChosen).count <= 1)
        return listings.first(where: \.isChosen)?.id
    }

    @Test func `the lowest number wins among equals, in whatever order they are found`() {
        #expect(chosen([candidate(10), candidate(9)]) == "iio:device9")
        #expect(chosen([candidate(9), candidate(10)]) == "iio:device9")
    }

    @Test func `one that speaks by itself comes before one that must be asked`() {
        #expect(chosen([candidate(0), candidate(1, canCapture: true)]) == "iio:device1")
    }

    @Test func `one in the base is never taken, unless it is asked for`() {
        let base = candidate(0, location: "base", canCapture: true)
        #expect(chosen([base, candidate(1)]) == "iio:device1")
        #expect(chosen([base]) == nil)
        #expect(chosen([base, candidate(1)], wanted: "label0") == "iio:device0")
    }

    @Test(arguments: ["iio:device3", "device3", "chip3", "label3"])
    func `one is asked for by id, with or without the scheme, by name and by label`(name: String) {
        #expect(chosen([candidate(0), candidate(3)], wanted: name) == "iio:device3")
        #expect(chosen([candidate(0), candidate(4)], wanted: name) == nil)
    }

    @Test func `one in a camera is never taken by itself either`() {
        #expect(chosen([candidate(0, location: "camera")]) == nil)
    }

    @Test func `one that failed comes last, but before nothing`() {
        let broken = candidate(0, canCapture: true, trouble: "it is silent")
        #expect(chosen([broken, candidate(1)]) == "iio:device1")
        #expect(chosen([broken]) == "iio:device0")
        #expect(SensorChoice.listings([broken, candidate(1)], wanted: nil)[0].why == "it has failed: it is silent")
    }

    @Test func `each is told why it was or was not taken`() {
        let listings = SensorChoice.listings(
            [
                candidate(0), candidate(1, canCapture: true), candidate(2, location: "base"),
                candidate(3, canCapture: true),
            ],
            wanted: nil)
        #expect(
            listings.map(\.why) == [
                "iio:device1 speaks by itself, and this one would have to be asked",
                "in the display, and it speaks by itself instead of having to be asked",
                "it sits in the base, whose orientation is not the display's",
                "iio:device1 has a lower number and serves as well",
            ])
    }
}
