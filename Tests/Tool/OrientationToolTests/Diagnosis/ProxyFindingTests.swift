// SPDX-License-Identifier: Apache-2.0

import OrientationWire
import Testing

@testable import OrientationTool

/// Findings about iio-sensor-proxy and the SensorProxy service.
@Suite struct ProxyFindingTests {
    private let good = MachineFacts.good

    @Test func `iio-sensor-proxy is found by its process and by its unit`() {
        let byProcess = good.with {
            $0.processes.processes = [.init(identifier: 9, name: "iio-sensor-prox", program: "iio-sensor-proxy")]
        }
        #expect(byProcess.fault("proxy")?.level == .note)
        let byUnit = good.with { $0.service.isProxyRunning = true }
        #expect(byUnit.fault("proxy")?.detail?.contains("install the package orientationd-sensorproxy") == true)
    }

    @Test func `a daemon that serves desktops is ok, and a problem while iio-sensor-proxy runs`() {
        let command = "{ path=/x ; argv[]=/usr/sbin/orientationd --dbus ; ignore_errors=no }"
        let serving = good.with {
            $0.service = ServiceFacts(systemctl: MachineFacts.units(service: ["ExecStart": command]))
        }
        let finding = Examination(serving).findings.first { $0.check == "proxy" }
        #expect(finding?.level == .ok)
        #expect(finding?.summary == "the daemon serves desktops over D-Bus, instead of iio-sensor-proxy")
        let both = serving.with { $0.service.isProxyRunning = true }.fault("proxy")
        #expect(both?.level == .problem)
        #expect(both?.fix?.command == "sudo systemctl mask --now iio-sensor-proxy.service")
    }

    @Test func `a daemon that serves no desktop is a problem with its reason, unless iio-sensor-proxy runs`() {
        let refused = good.with {
            $0.daemon.ambient = AmbientSensorListMessage([], isServed: false, outage: "another program owns the name")
        }
        let finding = refused.fault("proxy")
        #expect(finding?.level == .problem)
        #expect(finding?.detail == "Its reason: another program owns the name")
        let both = refused.with { $0.service.isProxyRunning = true }.fault("proxy")
        #expect(both?.summary.hasPrefix("iio-sensor-proxy runs") == true)
    }

    @Test func `a drop-in that removes --dbus from the package's command is a problem`() {
        let overridden = good.with {
            $0.service = ServiceFacts(
                systemctl: MachineFacts.units(service: [
                    "DropInPaths":
                        "/usr/lib/systemd/system/orientationd.service.d/10-sensorproxy.conf "
                        + "/etc/systemd/system/orientationd.service.d/override.conf"
                ]))
        }
        let finding = overridden.fault("proxy")
        #expect(finding?.level == .problem)
        #expect(finding?.detail?.contains("add --dbus there") == true)
    }
}
