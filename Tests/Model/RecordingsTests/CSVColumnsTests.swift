// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Recordings
import Testing

/// The columns of phone logs, by their names and units. Each log has one sample: time 1.5 s, acceleration 1, 2 and 9 m/s².
@Suite struct CSVColumnsTests {
    private static let g = Acceleration.standardGravity

    struct Log: CustomTestStringConvertible, Sendable {
        let app: String
        let text: String
        /// What the log calls 1.5 s and 1, 2 and 9 m/s².
        var isInG = false
        var testDescription: String { app }
    }

    private static let logs = [
        Log(app: "Sensor Logger", text: "time,seconds_elapsed,z,y,x\n1718030736872695300,1.5,9,2,1\n"),
        Log(
            app: "Sensor Logger, all sensors",
            text: """
                time,seconds_elapsed,accelerometer_z,accelerometer_y,accelerometer_x,gravity_z,gravity_y,gravity_x,gyroscope_z
                1718030736872695300,1.5,0.1,0.2,0.1,9,2,1,0

                """),
        Log(
            app: "ActiGraph",
            text: """
                ------------ Data File Created By ActiGraph GT9X
                Serial Number: TAS
                --------
                Timestamp,Accelerometer X,Accelerometer Y,Accelerometer Z
                5/23/2017 00:00:01.500,1,2,9

                """),
        Log(
            app: "phyphox",
            text: """
                "Time (s)","Acceleration x (m/s^2)","Acceleration y (m/s^2)","Acceleration z (m/s^2)","Absolute acceleration (m/s^2)"
                1.500000000E0,1.0E0,2.0E0,9.0E0,9.27

                """),
        Log(
            app: "phyphox with semicolons and decimal commas",
            text:
                "\u{FEFF}\"Time (s)\";\"Acceleration x (m/s^2)\";\"Acceleration y (m/s^2)\";\"Acceleration z (m/s^2)\"\r\n"
                + "1,500000000E0;1,0E0;2,0E0;9,0E0\r\n"),
        Log(
            app: "phyphox with tabulators",
            text:
                "\"Time (s)\"\t\"Acceleration x (m/s^2)\"\t\"Acceleration y (m/s^2)\"\t\"Acceleration z (m/s^2)\"\n1,5\t1\t2\t9"
        ),
        Log(app: "a name that is the unit", text: "Milliseconds,X,Y,Z\n1500,1,2,9\n"),
        Log(app: "a short name that is the unit", text: "us,x,y,z\n1500000,1,2,9\n"),
        Log(app: "Physics Toolbox", text: "time,ax,ay,az,aT\n1.5,1,2,9,9.27\n"),
        Log(app: "Physics Toolbox, g-force", text: "time,gFx,gFy,gFz,TgF\n1.5,G1,G2,G9,0.9\n", isInG: true),
        Log(app: "Physics Toolbox, a clock", text: "time;gFx;gFy;gFz;TgF\n00:01.5;G1;G2;G9;1,0\n", isInG: true),
        Log(
            app: "AndroSensor",
            text: """
                sep=;
                ACCELEROMETER X (m/s²);ACCELEROMETER Y (m/s²);ACCELEROMETER Z (m/s²);GRAVITY X (m/s²);GRAVITY Y (m/s²);\
                GRAVITY Z (m/s²);LINEAR ACCELERATION X (m/s²);LINEAR ACCELERATION Y (m/s²);LINEAR ACCELERATION Z (m/s²);\
                GYROSCOPE X (rad/s);GYROSCOPE Y (rad/s);GYROSCOPE Z (rad/s);MAGNETIC FIELD X (μT);MAGNETIC FIELD Y (μT);\
                MAGNETIC FIELD Z (μT);ORIENTATION X (pitch °);ORIENTATION Y (roll °);ORIENTATION Z (azimuth °);\
                LOCATION Latitude : ;Time since start in ms ;YYYY-MO-DD HH-MI-SS_SSS
                1;2;9;0;0;9,8;1;2;-0,8;5;6;7;20;30;40;1;2;3;47,1;1500;2016-03-30 18:41:08:123

                """),
        Log(
            app: "SensorLog",
            text:
                "loggingTime(txt),loggingSample(N),locationTimestamp_since1970(s),accelerometerTimestamp_sinceReboot(s),"
                + "accelerometerAccelerationX(G),accelerometerAccelerationY(G),accelerometerAccelerationZ(G),"
                + "motionTimestamp_sinceReboot(s),motionUserAccelerationX(G),motionUserAccelerationY(G),"
                + "motionUserAccelerationZ(G),motionGravityX(G),motionGravityY(G),motionGravityZ(G)\n"
                + "2017-03-30 12:34:56.789 +0200,1,1490870096.1,1.5,-G1,-G2,-G9,3,0,0,0,0,-1,0\n", isInG: true),
        Log(
            app: "SensorLog with a text for the time",
            text:
                "loggingTime(txt);accelerometerAccelerationX(G);accelerometerAccelerationY(G);accelerometerAccelerationZ(G)\n"
                + "2017-03-30 00:00:01.500 +0200;-G1;-G2;-G9\n", isInG: true),
        Log(app: "MATLAB Mobile", text: "Timestamp,X,Y,Z\n26-Nov-2026 00:00:01.500,1,2,9\n"),
        Log(app: "Sensor Kinetics", text: "time,X_value,Y_value,Z_value\n1.5,1,2,9\n"),
        Log(
            app: "Motion Recorder",
            text: "Timestamp [ms], Lin_accel_x, Accelerometer_x, Accelerometer_y, Accelerometer_z\n1500, 7, 1, 2, 9\n"),
        Log(app: "WISDM with names", text: "user,activity,timestamp (s),x,y,z\n33,Jogging,1.5,1,2,9;\n"),
        Log(app: "an Arduino", text: "% a comment\nx, y, z,ms since start\n1, 2, 9, 1500\n"),
        Log(app: "pandas", text: ",time_us,x-axis (g),y-axis (g),z-axis (g)\n0,1500000,G1,G2,G9\n", isInG: true),
        Log(
            app: "a web page",
            text: "t_ms,accelerationIncludingGravity.x,accelerationIncludingGravity.y,"
                + "accelerationIncludingGravity.z,acceleration.x\n1500,1,2,9,0\n"),
        Log(app: "mg", text: "time(µs),accX[mg],accY[mg],accZ[mg]\n1500000,M1,M2,M9\n", isInG: true),
        Log(app: "gravity alone", text: "elapsed (ns),gravity.x,gravity.y,gravity.z\n1500000000,1,2,9\n"),
    ]

    @Test(arguments: logs)
    func `the columns of an app are found by their names`(log: Log) throws {
        var text = log.text
        for number in [1.0, 2, 9] where log.isInG {
            let decimal = { (value: Double) in text.contains(";") ? "\(value)".replacing(".", with: ",") : "\(value)" }
            text = text.replacing("G\(Int(number))", with: decimal(number / Self.g))
            text = text.replacing("M\(Int(number))", with: decimal(1_000 * number / Self.g))
        }
        let reading = Reading(text)
        #expect(reading.error == nil)
        let sample = try #require(reading.samples.first?.sample)
        #expect(reading.samples.count == 1 && sample.time == 1.5)
        #expect((sample.acceleration - Acceleration(x: 1, y: 2, z: 9)).magnitude < 1e-9)
        #expect(reading.notes.count == 1)
    }

    @Test func `the message names the columns, their units and the sign of Core Motion`() {
        #expect(
            Reading("t,accelerometerAccelerationX(G),accelerometerAccelerationY(G),accelerometerAccelerationZ(G)\n")
                .notes == [
                    "time from 't', acceleration from 'accelerometerAccelerationX(G)', 'accelerometerAccelerationY(G)', "
                        + "'accelerometerAccelerationZ(G)' in g, negated: the sign of Core Motion"
                ])
        #expect(Reading("Time (ms),x,y,z\n").notes == ["time from 'Time (ms)' in ms, acceleration from 'x', 'y', 'z'"])
        #expect(Reading("T, X, Y, Z\n0,1,2,3\n").notes.isEmpty)
    }

    @Test(arguments: [
        "a,b,c,d", "33,Jogging,49105962326000,-0.69,12.68", "time,x,y", "x,y,z,w", "time,gyroX,gyroY,gyroZ",
        "time,userAcceleration.x,userAcceleration.y,userAcceleration.z",
        "Time (s),Linear Acceleration x (m/s^2),Linear Acceleration y (m/s^2),Linear Acceleration z (m/s^2)",
    ])
    func `an error lists the columns found and those needed`(header: String) throws {
        let error = try #require(Reading("\(header)\n0,1,2,3\n").error)
        #expect(error.line == 1)
        #expect(error.description.contains("'\(header.replacing(",", with: ", "))'"))
        #expect(
            error.description.contains(
                "must be a time (as t, time, timestamp, seconds_elapsed) and an acceleration with gravity"))
    }

    @Test func `a title without names is an error with its text, also at the end of the file`() {
        for text in ["My log\n0,1,2,3\n", "\nMy log", "My log\nof today\n0,1,2,3\n"] {
            #expect(Reading(text).error?.description.contains("invalid column names 'My log'") == true, "\(text)")
        }
    }

    @Test(arguments: [
        ("0.0 0.1 9.8 0.2\n0.1 0.1 9.8 0.2\n", 1, "0.0 0.1 9.8 0.2"),
        ("time x y z\n0.0 0.1 9.8 0.2\n", 1, "time x y z"),
        ("-----\nNo: 1\nAccelerometer X,Accelerometer Y\n0,1\n", 3, "Accelerometer X, Accelerometer Y"),
        ("12/3/2021,1,2,3\n", 1, "12/3/2021, 1, 2, 3"),
    ])
    func `a file that is no table is an error with the line most like names, and the separators`(
        text: String, line: Int, found: String
    ) {
        let error = Reading(text).error
        #expect(error?.line == line)
        #expect(
            error?.description.contains("invalid column names '\(found)': must be a time") == true, "\(error as Any)")
        #expect(
            error?.description.hasSuffix("text in UTF-8 with commas, semicolons or tabulators between the columns")
                == true)
    }

    @Test(arguments: [[0xFF, 0xFE], [0xFE, 0xFF, 0], []] as [[UInt8]])
    func `a file in UTF-16 is an error that asks for UTF-8`(mark: [UInt8]) {
        let bytes = mark + "time,x,y,z\n0.0,0.1,9.8,0.2\n".utf8.flatMap { [$0, 0] }
        #expect(Reading(bytes: bytes, chunk: 5).error?.description.contains("as text in UTF-8") == true)
    }

    @Test func `a separator of thousands between commas is an error, a decimal comma is not`() {
        let reading = Reading("time_ms,x,y,z\n980,1,2,3\n\"1,000\",1,2,3\n")
        #expect(
            reading.error?.description
                == "line 3: invalid value '1,000' for time_ms: must be a finite decimal number without a separator of thousands"
        )
        #expect(
            Reading("t,x,y,z\n\"0,020\",\"1,5\",\"-9,8066\",\"1700,125\"\n").samples == [
                recorded(0.02, 1.5, -9.8066, 1_700.125)
            ])
        #expect(Reading("t;x;y;z\n1,020;1;2;3\n").times == [1.02])
    }

    @Test func `rows of a merged file without an acceleration are skipped, and other gaps are errors`() {
        let reading = Reading("time,x,y,z,gyro\n0,1,2,3,\n0.1,,,,5\n0.2,1,2,3,\n0.3,1,,3,\n")
        #expect(reading.times == [0, 0.2])
        #expect(reading.error?.description == "line 5: invalid value '' for y: must be a finite decimal number")
        #expect(Reading("time,x,y,z,gyro\n0,1,2\n").error?.description.contains("row with 3 fields") == true)
    }

    @Test func `a time of day continues after midnight, and after an hour without hours`() {
        #expect(
            Reading("time,x,y,z\n2026-11-26 23:59:59.5,1,2,3\n2026-11-27 00:00:00.5,1,2,3\n").times == [
                86_399.5, 86_400.5,
            ])
        #expect(Reading("time,x,y,z\n59:59.0,1,2,3\n00:00.0,1,2,3\n00:01.0,1,2,3\n").times == [3_599, 3_600, 3_601])
    }

    @Test func `a row of more columns than the limit is read up to it`() {
        let many = (0..<300).map { "c\($0)" }.joined(separator: ",")
        #expect(Reading("t,x,y,z,\(many)\n0,1,2,3,\(many)\n").samples.count == 1)
        #expect(Reading("\(many),t,x,y,z\n").error != nil)
    }
}
