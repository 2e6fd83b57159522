#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The machines in the folder `machines`, whose README describes the files.

    machines.py check [FOLDER] print each error: file, line, machine, reason
    machines.py trees FOLDER   write the files in /sys and /run of each machine below FOLDER, and print the expected readings
                               as JSON
    machines.py compare FILE   print each difference between [expected] and what was found: JSON, by machine and key
    machines.py page           print the table of the page Machines, in Markdown
    machines.py --self-test    check that planted errors are found, with their lines
"""
import json
import os
import pathlib
import re
import sys
import tempfile
import tomllib

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "machines"
LONGEST = 60
EDGES = ("top", "left", "bottom", "right")
# The drivers of accelerometers and hinges, as the kernel spells them in /sys/bus/*/drivers: a misspelled one would emulate
# another machine. A new one is added here.
DRIVERS = {
    "adxl345_i2c", "bma180", "bmc150_accel_i2c", "bmi160_i2c", "bmi270_i2c", "bmi323-i2c", "cros-ec-accel-legacy", "cros-ec-sensors",
    "da280", "hid_sensor_accel_3d", "hid_sensor_custom_intel_hinge", "inv-mpu6050-i2c", "kxcjk1013", "mma8452", "msa311", "mxc4005",
    "st-accel-i2c", "st_lsm6dsx_i2c", "cros-ec-lid-angle", "lis3lv02d", "sc7a20"}
LABELS = {"accel-display", "accel-base", "accel-camera"}
PROPERTIES = {
    "ACCEL_MOUNT_MATRIX", "ACCEL_LOCATION", "IIO_SENSOR_PROXY_TYPE", "ID_INPUT_ACCELEROMETER", "ID_INPUT_KEYBOARD", "ID_INPUT_SWITCH",
    "ORIENTATIOND_BUFFER", "ORIENTATIOND_FACE_SIGN", "ORIENTATIOND_NATURAL_ORIENTATION"}
ATTRIBUTES = {
    "name", "label", "location", "in_accel_mount_matrix", "in_accel_x_mount_matrix", "in_mount_matrix", "mount_matrix", "in_accel_scale"}
# The keys of each table, with their types; a table in brackets may be repeated.
SCHEMA = {
    "": {"machine": str, "source": list, "seen": str},
    "identity": {"dmi": dict, "compatible": list, "chassis": str},
    "[usb]": {"path": str, "product": str, "removable": str, "video": bool},
    "[iio]": {"driver": str, "modalias": str, "path": str, "channels": list, "trigger": str, "attributes": dict, "udev": dict},
    "[input]": {"name": str, "path": str, "bus": str, "abs": str, "keys": str, "switches": str, "sibling": str, "udev": dict},
    "[connector]": {"name": str, "mode": str, "panel": str},
    "hub": {"driverless": list},
    "ssc": {"node": str, "udev": dict},
    "expected": {
        "sensor": str, "why": str, "reading": str, "matrix": str, "up": dict, "natural": str, "mode": str, "because": str,
        "doctor": list},
    "known": {"sensor": str, "reading": str, "up": str, "natural": str, "mode": str, "doctor": str}}
VALUES = {
    "expected.reading": {"polled", "captured"}, "expected.natural": {"portrait", "landscapeLeft"},
    "expected.mode": {"tablet", "laptop", "switch", "lid angle"}}
MATRIX = re.compile(r"\s*(?:[-+\d.e]+\s*,\s*){2}[-+\d.e]+\s*(?:;\s*(?:[-+\d.e]+\s*,\s*){2}[-+\d.e]+\s*){2}[;#]?.*")


class Invalid(Exception):
    """An error in a file: the line, and the reason."""


class Machine:
    def __init__(self, path, text=None):
        self.file = path.name
        self.text = path.read_text() if text is None else text
        try:
            self.data = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"at line (\d+)", str(error))
            raise Invalid(int(line[1]) if line else self.text.count("\n"), str(error)) from error
        self.lines = self.lines_of_keys()
        self.check()

    @property
    def name(self):
        return self.data["machine"]

    def lines_of_keys(self):
        """The line of each key, such as `iio.1.driver`."""
        lines, table, counts = {}, "", {}
        for number, line in enumerate(self.text.split("\n"), 1):
            if header := re.match(r"\[(\[)?(\w+)\]", line):
                table = header[2] + "."
                if header[1]:
                    counts[table] = counts.get(table, -1) + 1
                    table += f"{counts[table]}."
                lines[table[:-1]] = number
            elif key := re.match(r"\s*(\w+)\s*=", line):
                lines.setdefault(table + key[1], number)
        return lines

    def line(self, key):
        """The line of a key, else that of the table around it."""
        while key and key not in self.lines:
            key = key.rpartition(".")[0]
        return self.lines.get(key, 1)

    def fail(self, key, reason):
        raise Invalid(self.line(key), f"{key}: {reason}")

    def check(self):
        for table, value in self.data.items():
            if table in SCHEMA[""]:
                self.check_types("", {table: value})
            elif isinstance(value, list):
                for index, entry in enumerate(value):
                    self.check_table(f"[{table}]", f"{table}.{index}", entry)
            else:
                self.check_table(table, table, value)
        for key in ("machine", "source", "expected"):
            if not self.data.get(key):
                self.fail(key, "missing")
        if (count := self.text.count("\n")) > LONGEST:
            raise Invalid(LONGEST, f"{count} lines: must be at most {LONGEST}")
        for key in self.data.get("known", {}):
            if key not in self.data["expected"]:
                self.fail(f"known.{key}", "nothing of this name is expected")
        for index, device in enumerate(self.data.get("iio", [])):
            self.check_device(index, device)
        for edge, reading in self.data["expected"].get("up", {}).items():
            if edge not in (*EDGES, "faceUp") or not isinstance(reading, list) or len(reading) != 3:
                self.fail("expected.up", f"invalid entry '{edge}': must be one of {', '.join(EDGES)}, faceUp, with three numbers")

    def check_table(self, schema, key, value):
        if schema not in SCHEMA:
            self.fail(key, f"unknown table: must be one of {', '.join(filter(None, SCHEMA))}")
        self.check_types(schema, value, f"{key}.")

    def check_types(self, schema, value, prefix=""):
        for name, entry in value.items():
            if name not in SCHEMA[schema]:
                self.fail(prefix + name, f"unknown key: must be one of {', '.join(SCHEMA[schema])}")
            if not isinstance(entry, SCHEMA[schema][name]):
                self.fail(prefix + name, f"must be of the type {SCHEMA[schema][name].__name__}")
            if entry not in (valid := VALUES.get(prefix + name, [entry])):
                self.fail(prefix + name, f"invalid value '{entry}': must be one of {', '.join(sorted(valid))}")

    def check_device(self, index, device):
        key = f"iio.{index}"
        if "name" not in device.get("attributes", {}):
            self.fail(f"{key}.attributes", "name is missing")
        if (driver := device.get("driver")) not in DRIVERS | {None}:
            self.fail(f"{key}.driver", f"unknown driver '{driver}': must be one of {', '.join(sorted(DRIVERS))}")
        if (label := device["attributes"].get("label")) not in LABELS | {None}:
            self.fail(f"{key}.attributes", f"unknown label '{label}': must be one of {', '.join(sorted(LABELS))}")
        is_refused = any(entry.startswith("matrix problem") for entry in self.data["expected"].get("doctor", []))
        for table, known in (("attributes", ATTRIBUTES), ("udev", PROPERTIES)):
            for name, text in device.get(table, {}).items():
                if name not in known:
                    self.fail(f"{key}.{table}", f"unknown name '{name}': must be one of {', '.join(sorted(known))}")
                if "matrix" in name.lower() and not MATRIX.fullmatch(text) and not is_refused:
                    self.fail(f"{key}.{table}", f"{name} '{text}': must be three rows of three numbers")

    # The files in /sys and /run: devices with a path below /sys, a subsystem, attributes, links and udev's properties.

    def devices(self):
        for usb in self.data.get("usb", []):
            path = f"/devices/{usb['path']}"
            attributes = {name: usb[name] for name in ("product", "removable") if name in usb}
            yield Device(path, "usb", attributes)
            name = path.split("/")[-1]
            yield Device(f"{path}/{name}:1.0", "usb", {"bInterfaceClass": "0e" if usb.get("video") else "03"})
        for index, device in enumerate(self.data.get("iio", [])):
            yield from self.iio(index, device)
        for index, device in enumerate(self.data.get("input", [])):
            yield from self.input(index, device)
        for connector in self.data.get("connector", []):
            yield Device(
                f"/devices/pci0000:00/0000:00:02.0/drm/card0/card0-{connector['name']}", "drm",
                {"status": "connected", "enabled": "enabled", "modes": connector["mode"]}, kind="drm_connector")
        for name in self.data.get("hub", {}).get("driverless", []):
            yield Device(f"/devices/platform/{name}", "platform", {})
        if ssc := self.data.get("ssc"):
            yield Device(f"/devices/virtual/misc/{ssc['node']}", "misc", {}, ssc.get("udev", {}), node=ssc["node"])
        if dmi := self.data.get("identity", {}).get("dmi"):
            yield Device("/devices/virtual/dmi/id", "dmi", dmi)

    def iio(self, index, device):
        chip = f"/devices/{device.get('path', f'platform/chip{index}')}"
        driver = device.get("driver")
        yield Device(
            chip, "platform", {"modalias": device["modalias"]} if "modalias" in device else {},
            links={"driver": f"/bus/platform/drivers/{driver}"} if driver else {})
        attributes = {**self.channels(index, device), **device["attributes"]}
        if trigger := device.get("trigger"):
            attributes |= {"buffer/enable": 0, "buffer/length": 2, "buffer/watermark": 1, "trigger/current_trigger": trigger,
                           "current_timestamp_clock": "realtime"}
            for place, channel in enumerate(("accel_x", "accel_y", "accel_z", "timestamp")):
                kind = "le:s64/64>>0" if channel == "timestamp" else "le:s16/32>>0"
                for name, value in (("en", 0), ("index", place), ("type", kind)):
                    attributes[f"scan_elements/in_{channel}_{name}"] = value
            yield Device(f"/devices/trigger{index}", "iio", {"name": trigger}, name=f"trigger{index}")
        name = f"iio:device{index}"
        yield Device(f"{chip}/{name}", "iio", attributes, device.get("udev", {}), node=name, kind="iio_device")

    def channels(self, index, device):
        attributes = {}
        for channel in device.get("channels", ["accel"]):
            if channel == "accel":
                scale = float(device["attributes"].get("in_accel_scale", "0.009582"))
                attributes["in_accel_scale"] = f"{scale:.6f}"
                for axis, value in zip("xyz", self.reading(index, "top"), strict=True):
                    attributes[f"in_accel_{axis}_raw"] = round(value * 9.80665 / scale)
            elif channel == "hinge":
                for number, label in enumerate(("hinge", "screen", "keyboard")):
                    attributes |= {f"in_angl{number}_raw": 0, f"in_angl{number}_label": label}
                attributes["in_angl_scale"] = "0.017453"
            elif channel == "angl":
                attributes["in_angl_raw"] = 90
            else:
                attributes |= {f"in_{channel}_{axis}_raw": 0 for axis in "xyz"}
        return attributes

    def reading(self, index, edge):
        """What a chip reads while an edge is up, in g: only of the expected sensor is that stated."""
        is_expected = self.data["expected"].get("sensor") == f"iio:device{index}"
        return self.data["expected"].get("up", {}).get(edge, [0, 0, 1]) if is_expected else [0, 0, 1]

    def input(self, index, device):
        hardware = f"/devices/{device.get('path', f'platform/input{index}')}"
        yield Device(hardware, "platform", {})
        attributes = {
            "name": device["name"], "capabilities/abs": device.get("abs", "0"), "capabilities/key": device.get("keys", "0"),
            "capabilities/sw": device.get("switches", "0"), "id/bustype": device.get("bus", "0019")}
        path = f"{hardware}/input/input{index}"
        yield Device(path, "input", attributes, links={"device": hardware})
        yield Device(f"{path}/event{index}", "input", {}, device.get("udev", {}), node=f"input/event{index}", links={"device": path})
        if sibling := device.get("sibling"):
            yield Device(f"{path}0", "input", {"name": sibling, "capabilities/key": "7cdb000000000000 0 0 0 0"})

    def write(self, root):
        """Write the tree of the machine."""
        for device in self.devices():
            device.write(root)
        self.write_surroundings(root)

    def write_surroundings(self, root):
        """Write what is not part of a device."""
        files = {"run/udev/control": "", "usr/lib/udev/rules.d/70-orientationd.rules": "# a rule\n"}
        if compatible := self.data.get("identity", {}).get("compatible"):
            files["sys/firmware/devicetree/base/compatible"] = "\0".join(compatible) + "\0"
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        (root / "sys/bus/iio/devices").mkdir(parents=True, exist_ok=True)

    def differences(self, found):
        """Compare what was found, lists of texts by the keys of `expected`, with the file: an error for each difference, and for
        each known fault that no longer occurs."""
        for key, wanted in self.data["expected"].items():
            is_known = key in self.data.get("known", {})
            if key in found and self.matches(key, wanted, found[key]) == is_known:
                place = f"known.{key}" if is_known else f"expected.{key}"
                problem = "the known fault no longer occurs: remove it" if is_known else f"expected {wanted}, found {found[key]}"
                yield f"machines/{self.file}:{self.line(place)}: {self.name}: {key}: {problem}"

    @staticmethod
    def matches(key, wanted, found):
        if key in ("why", "because"):
            return any(wanted in text for text in found)
        if key == "doctor":
            # A finding is `lid note: this laptop has …`, of which the part after the first colon may be shortened.
            pairs = zip(sorted(wanted), sorted(found), strict=False)
            return len(wanted) == len(found) and all(
                line.startswith(text.split(": ", 1)[0]) and text.split(": ", 1)[-1] in line for text, line in pairs)
        return set([wanted] if isinstance(wanted, str) else wanted) == set(found)

    def row(self):
        expected, iio = self.data["expected"], self.data.get("iio", [])
        sensor = expected.get("sensor", "")
        if sensor.startswith("iio"):
            device = iio[int(sensor.removeprefix("iio:device"))]
            path = f"IIO, {device.get('driver', device['attributes']['name'])}"
        else:
            path = {"none": "none in the display", "ssc": "Snapdragon sensor core"}.get(sensor, "input device" if sensor else "not stated")
        poses = len([edge for edge in EDGES if edge in expected.get("up", {})])
        known = "; ".join(f"{key}: {text}" for key, text in self.data.get("known", {}).items())
        return [f"[{self.name}]({self.file})", path, f"{poses} of 4" if poses else "not stated", expected.get("mode", "not stated"),
                self.data.get("seen", "emulated from a report"), ", ".join(map(link, self.data["source"])), known or "none"]


class Device:
    def __init__(self, path, subsystem, attributes, udev=None, node=None, links=None, kind=None, name=None):
        self.path, self.subsystem, self.attributes, self.udev = path, subsystem, attributes, udev or {}
        self.node, self.links, self.kind, self.name = node, links or {}, kind, name or path.split("/")[-1]

    def describe(self):
        """The device in the format of umockdev."""
        up = "../" * self.path.count("/")
        lines = [f"P: {self.path}", f"E: SUBSYSTEM={self.subsystem}"]
        lines += [f"E: DEVNAME=/dev/{self.node}"] if self.node else []
        lines += [f"E: DEVTYPE={self.kind}"] if self.kind else []
        lines += [f"E: {name}={value}" for name, value in self.udev.items()]
        lines += [f"L: {name}={up}{target.lstrip('/')}" for name, target in self.links.items()]
        lines += [f"A: {name}={value}\\n" for name, value in self.attributes.items()]
        return "\n".join(lines) + "\n"

    def write(self, root):
        folder = root / "sys" / self.path.lstrip("/")
        folder.mkdir(parents=True, exist_ok=True)
        for name, value in self.attributes.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(f"{value}\n")
        properties = {"DEVTYPE": self.kind, **self.udev}
        (folder / "uevent").write_text("".join(f"{name}={value}\n" for name, value in properties.items() if value))
        for name, target in {"subsystem": f"/bus/{self.subsystem}", **self.links}.items():
            (folder / name).symlink_to(os.path.relpath(root / "sys" / target.lstrip("/"), folder))
        place = f"bus/{self.subsystem}/devices" if self.subsystem in ("iio", "platform", "usb") else f"class/{self.subsystem}"
        link = root / "sys" / place / self.name
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.is_symlink():
            link.symlink_to(os.path.relpath(folder, link.parent))


def link(source):
    """A source as a link: `owner/name#number`, or `owner/name path`."""
    if found := re.fullmatch(r"([\w.-]+/[\w.-]+)#(\d+)", source):
        return f"[{source}](https://github.com/{found[1]}/issues/{found[2]})"
    if found := re.fullmatch(r"([\w.-]+/[\w.-]+) ([\w./-]+)", source):
        return f"[{found[2].split('/')[-1]}](https://github.com/{found[1]}/blob/HEAD/{found[2]})"
    return source


def load(folder=FOLDER):
    """The machines, and the errors in their files."""
    machines, errors = [], []
    for path in sorted(folder.glob("*.toml")):
        try:
            machines.append(Machine(path))
        except Invalid as error:
            line, reason = error.args
            name = re.search(r'^machine *= *"(.*)"', path.read_text(), re.M)
            errors.append(f"machines/{path.name}:{line}: {name[1] if name else 'unnamed machine'}: {reason}")
    return machines, errors


def page():
    machines, _ = load()
    columns = ["machine", "sensor", "poses", "tablet mode by", "seen", "source", "known faults"]
    rows = [columns, ["---"] * len(columns), *(machine.row() for machine in machines)]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n" for row in rows)


SAMPLE = """\
machine = "Sample"
source = ["owner/name#1"]
[[iio]]
driver = "kxcjk1013"
attributes = { name = "kxcjk1013", label = "accel-base" }
udev = { ACCEL_MOUNT_MATRIX = "1, 0, 0; 0, 1, 0; 0, 0, 1" }
[expected]
up = { top = [0, -1, 0] }
"""
PLANTED = [
    ("driver", "kxcjk1013\"\na", "kxcjk1031\"\na", 4), ("label", "accel-base", "accel-bse", 5), ("matrix", "0, 1, 0;", "0, 1 0;", 6),
    ("property", "ACCEL_MOUNT", "ACCEL_MONT", 6), ("key", "driver", "drivr", 4), ("table", "[[iio]]", "[[io]]", 3),
    ("edge", "top", "tpo", 8), ("reading", "[0, -1, 0]", "[0, -1]", 8), ("type", '"Sample"', "1", 1), ("syntax", "top = [", "top = ", 8),
    ("absent", 'source = ["owner/name#1"]', "", 1)]


def self_test():
    with tempfile.TemporaryDirectory() as name:
        for what, old, new, line in [("none", "", "", 0), *PLANTED]:
            path = pathlib.Path(name, "sample.toml")
            path.write_text(SAMPLE.replace(old, new, 1) if old else SAMPLE)
            _, errors = load(pathlib.Path(name))
            found = [int(error.split(":")[1]) for error in errors]
            if found != [line] * (what != "none"):
                sys.exit(f"machines.py: self-test: {what}: {errors or 'not found'}")
    for known, found, count in [("", ["top"], 0), ("", [], 1), ('[known]\nup = "?"\n', ["top"], 1), ('[known]\nup = "?"\n', [], 0)]:
        if len(list(Machine(pathlib.Path("sample.toml"), SAMPLE + known).differences({"up": found}))) != count:
            sys.exit(f"machines.py: self-test: {known or 'expected'}: {found}")


def main(words):
    if words == ["--self-test"]:
        return self_test()
    machines, errors = load(pathlib.Path(words[1]) if words[:1] == ["check"] and words[1:] else FOLDER)
    if words[:1] == ["page"]:
        print(page(), end="")
    elif words[:1] == ["trees"]:
        for machine in machines:
            machine.write(pathlib.Path(words[1]) / machine.file)
        print(json.dumps({machine.file: machine.data["expected"].get("up", {}) for machine in machines}))
    elif words[:1] == ["compare"]:
        found = json.loads(pathlib.Path(words[1]).read_text())
        errors += [error for machine in machines for error in machine.differences(found[machine.file])]
    elif words[:1] != ["check"]:
        sys.exit(__doc__)
    if errors:
        sys.exit("\n".join(errors))


if __name__ == "__main__":
    main(sys.argv[1:])
