// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@Suite struct SensorChoiceTests {
    private func candidate(
        _ number: Int, rejection: String? = nil, isStated: Bool = false, canCapture: Bool = false,
        recentFailure: String? = nil
    ) -> SensorChoice.Candidate {
        var info = SensorDescription(id: "iio:device\(number)", name: "chip\(number)")
        info.isLocationStated = isStated
        return SensorChoice.Candidate(
            info: info, label: "label\(number)", rejection: rejection, canCapture: canCapture,
            recentFailure: recentFailure)
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

    @Test func `of several sensors with the requested name a rejected one is the last`() {
        var sensors = [
            candidate(0, rejection: "on the removable device 2-1", canCapture: true),
            candidate(1, recentFailure: "timed out"),
        ]
        for index in sensors.indices { sensors[index].info.name = "accel_3d" }
        #expect(chosen(sensors, wanted: "accel_3d") == "iio:device1")
        #expect(SensorChoice.listings(sensors, wanted: "accel_3d")[0].why.hasPrefix("on the removable device"))
    }

    @Test(arguments: ["iio:device3", "device3", "chip3", "label3"])
    func `a request matches the id with or without the scheme, the name and the label`(name: String) {
        #expect(chosen([candidate(0), candidate(3)], wanted: name) == "iio:device3")
        #expect(chosen([candidate(0), candidate(4)], wanted: name) == nil)
    }

    @Test func `a sensor with a recent failure is chosen only if there is no other`() {
        let broken = candidate(0, canCapture: true, recentFailure: "timed out")
        #expect(chosen([broken, candidate(1)]) == "iio:device1")
        #expect(chosen([broken]) == "iio:device0")
        #expect(
            SensorChoice.listings([broken, candidate(1)], wanted: nil)[0].why
                == "recent failure: timed out; rank 1 of 2")
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

    @Test func `each listing states the reason of the choice and the rank`() {
        let listings = SensorChoice.listings(
            [
                candidate(0), candidate(1, canCapture: true), candidate(2, rejection: "in the base"),
                candidate(3, canCapture: true),
            ],
            wanted: nil)
        #expect(
            listings.map(\.why) == [
                "polled, while iio:device1 is captured; rank 3 of 3",
                "location unknown, assumed in the display, and lowest number of equal sensors: a guess, see "
                    + "'orientationctl doctor'; rank 1 of 3",
                "in the base",
                "equal to iio:device1, which has a lower number; rank 2 of 3",
            ])
    }

    @Test func `a stated location is the reason of the choice`() {
        let listings = SensorChoice.listings(
            [candidate(0, canCapture: true), candidate(1, isStated: true)], wanted: nil)
        #expect(
            listings.map(\.why) == [
                "location unknown, while that of iio:device1 is stated; rank 2 of 2",
                "in the display, as stated; rank 1 of 2",
            ])
    }
}
