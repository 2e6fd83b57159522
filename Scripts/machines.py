#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The machines in the folder `machines`, whose README describes the files.

    machines.py check [PATH]…  print each error in these files and folders: file, line, machine, key, reason
    machines.py trees FOLDER   write the files in /sys and /run of each machine below FOLDER, and print the expected readings
                               as JSON
    machines.py compare FILE   print each difference between [expected] and what was found: JSON, by machine and key
    machines.py page           print the table of the page Machines, in Markdown
    machines.py --self-test    check that planted errors are found, with their lines
"""
import json
import math
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


def reading(value):
    """Why a value of `up` is no reading; None if it is one."""
    is_vector = isinstance(value, list) and len(value) == 3 and all(type(part) in (int, float) and abs(part) <= 4 for part in value)
    if not is_vector or not 0 < math.hypot(*value) <= 4:
        return f"invalid value {value}: must be three numbers in g (m/s² divided by 9.81), with a length of at most 4 g"


# The check of each key: a set has the valid texts; a pair, a pattern and what it stands for; a list, the check of its entries; a
# dictionary, the keys of a table; a function returns the reason why a value is invalid.
TEXT = (r"[^\x00-\x1f\x7f]+", "text on one line")
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?"
ROW = rf"\s*{NUMBER}\s*,\s*{NUMBER}\s*,\s*{NUMBER}\s*"
MATRIX = (rf"{ROW};{ROW};{ROW}(?:[;#].*)?", "three rows of three numbers")
# The names of files and folders that `trees` writes: they must stay below its folder.
COMPONENT = r"(?!\.\.?(?:/|$))[^/\x00-\x1f\x7f]+"
NAME = (COMPONENT, "the name of one folder")
PATH = (f"{COMPONENT}(?:/{COMPONENT})*", "a path below /sys/devices that does not start with '/', without '.' and '..'")
MASK = (r"[0-9a-f]+(?: [0-9a-f]+)*", "hexadecimal numbers as in `capabilities`")
NATURAL = {"portrait", "landscapeLeft"}
ATTRIBUTES = {
    "name": TEXT, "label": LABELS, "location": {"base", "lid", "unknown"}, "in_accel_mount_matrix": MATRIX,
    "in_accel_x_mount_matrix": MATRIX, "in_mount_matrix": MATRIX, "mount_matrix": MATRIX,
    "in_accel_scale": (r"(?=.*[1-9])(?!-)" + NUMBER, "a positive number, as text")}
UDEV = {
    "ACCEL_MOUNT_MATRIX": MATRIX, "ACCEL_LOCATION": {"display", "lid", "base"}, "IIO_SENSOR_PROXY_TYPE": TEXT,
    "ID_INPUT_ACCELEROMETER": {"1"}, "ID_INPUT_KEYBOARD": {"1"}, "ID_INPUT_JOYSTICK": {"1"}, "ID_INPUT_SWITCH": {"1"},
    "ORIENTATIOND_BUFFER": {"0", "1"},
    "ORIENTATIOND_FACE_SIGN": {"1", "-1"}, "ORIENTATIOND_NATURAL_ORIENTATION": NATURAL, "ORIENTATIOND_CLASSIFIER": TEXT,
    "PROXIMITY_NEAR_LEVEL": (r"\d+", "a number, as text")}
DMI = dict.fromkeys((
    "sys_vendor", "product_name", "product_version", "product_family", "product_sku", "board_vendor", "board_name", "board_version",
    "chassis_type", "bios_vendor", "bios_version", "bios_date"), TEXT)
SCHEMA = {
    "machine": TEXT, "source": [TEXT], "seen": TEXT,
    "identity": {"dmi": DMI, "compatible": [TEXT], "chassis": {"desktop", "laptop", "convertible", "detachable", "all-in-one", "tablet", "handset"}},
    "usb": [{"path": PATH, "product": TEXT, "removable": {"removable", "fixed", "unknown"}, "video": {True, False}}],
    "iio": [{
        "driver": DRIVERS, "modalias": TEXT, "path": PATH, "channels": [{"accel", "anglvel", "hinge", "angl"}], "trigger": TEXT,
        "attributes": ATTRIBUTES, "udev": UDEV}],
    "input": [{
        "name": TEXT, "path": PATH, "bus": (r"[0-9a-f]{4}", "four hexadecimal digits"), "abs": MASK, "keys": MASK, "switches": MASK,
        "sibling": TEXT, "udev": UDEV}],
    "connector": [{
        "name": NAME, "mode": (r"\d+x\d+i?", "such as 1920x1080"),
        "panel": {"Normal", "Upside Down", "Left Side Up", "Right Side Up"}}],
    "hub": {"driverless": [NAME]},
    "ssc": {"node": NAME, "udev": UDEV},
    "expected": {
        "sensor": TEXT, "why": TEXT, "reading": {"polled", "captured"},
        "matrix": {"default", "none", "udev ACCEL_MOUNT_MATRIX", *(name for name, check in ATTRIBUTES.items() if check is MATRIX)},
        "up": dict.fromkeys((*EDGES, "faceUp"), reading), "natural": NATURAL,
        "mode": {"tablet", "laptop", "switch", "lid angle"}, "because": TEXT,
        "doctor": [(r"\w+ (?:problem|note): .+", "such as 'matrix note: no mount matrix'")]},
    "known": dict.fromkeys(("sensor", "reading", "up", "natural", "mode", "doctor"), TEXT)}
REQUIRED = {
    "": ("machine", "source", "expected"), "usb": ("path",), "iio": ("attributes",), "attributes": ("name",), "input": ("name",),
    "connector": ("name", "mode"), "ssc": ("node",)}


class Invalid(Exception):
    """An error in a file: the line, and the reason."""


class Machine:
    def __init__(self, path, text=None):
        self.file = path.name
        try:
            self.text = path.read_text("utf-8") if text is None else text
            self.data = tomllib.loads(self.text)
        except OSError as error:
            raise Invalid(1, f"file: cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise Invalid(error.object.count(b"\n", 0, error.start) + 1, "file: must be text in UTF-8") from error
        except ValueError as error:
            line = re.search(r"at line (\d+)", str(error))
            raise Invalid(int(line[1]) if line else self.text.count("\n"), f"syntax of TOML: {error}") from error
        self.lines = self.lines_of_keys()
        self.check()

    @property
    def name(self):
        return self.data["machine"]

    def lines_of_keys(self):
        """The line of each key, such as `iio.1.driver`."""
        lines, table, counts = {}, "", {}
        for number, line in enumerate(self.text.split("\n"), 1):
            if header := re.match(r"\[(\[)?([\w.]+)\]", line):
                table = header[2] + "."
                if header[1]:
                    counts[table] = counts.get(table, -1) + 1
                    table += f"{counts[table]}."
                lines.setdefault(header[2], number)
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
        self.check_value("", self.data, SCHEMA)
        if (count := self.text.count("\n")) > LONGEST:
            raise Invalid(LONGEST, f"file: {count} lines: must be at most {LONGEST}")
        for key in self.data.get("known", {}):
            if key not in self.data["expected"]:
                self.fail(f"known.{key}", "nothing of this name is expected")
        paths = [device.get("path") for device in self.data.get("iio", [])]
        for index, path in enumerate(paths):
            if path and path in paths[:index]:
                self.fail(f"iio.{index}.path", "is the path of another chip, too")
        sensors = {f"iio:device{index}": device for index, device in enumerate(self.data.get("iio", []))}
        sensors |= {f"event{index}": device for index, device in enumerate(self.data.get("input", []))}
        sensors |= {"none": {}} | ({"ssc": {}} if "ssc" in self.data else {})
        expected = self.data["expected"]
        if (sensor := expected.get("sensor", "none")) not in sensors:
            self.fail("expected.sensor", f"'{sensor}' is not described here: must be one of {', '.join(sensors)}")
        if expected.get("reading") == "captured" and "trigger" not in sensors[sensor]:
            self.fail("expected.reading", f"captured needs a trigger, and '{sensor}' has none")

    def check_value(self, key, value, check):
        """Check a value, and all that is in it."""
        if isinstance(check, dict):
            if not isinstance(value, dict):
                self.fail(key, "must be a table")
            for name in value:
                if name not in check:
                    self.fail(f"{key}.{name}".lstrip("."), f"unknown key: must be one of {', '.join(check)}")
            for name in REQUIRED.get(re.sub(r"\.\d+$", "", key).split(".")[-1], ()):
                if not value.get(name):
                    keys = f": state at least one of {', '.join(SCHEMA[name])}" if isinstance(SCHEMA.get(name), dict) else ""
                    self.fail(f"{key}.{name}".lstrip("."), ("empty" if name in value else "missing") + keys)
            for name, entry in value.items():
                self.check_value(f"{key}.{name}".lstrip("."), entry, check[name])
        elif isinstance(check, list):
            if not isinstance(value, list):
                self.fail(key, "must be a list")
            for index, entry in enumerate(value):
                self.check_value(f"{key}.{index}", entry, check[0])
        elif isinstance(check, set):
            # In Python, 1 equals True.
            if not any(type(value) is type(valid) and value == valid for valid in check):
                self.fail(key, f"invalid value '{value}': must be one of {', '.join(sorted(map(str, check)))}")
        elif callable(check):
            if reason := check(value):
                self.fail(key, reason)
        elif not isinstance(value, str) or not re.fullmatch(TEXT[0] if check is MATRIX and self.is_refused else check[0], value):
            self.fail(key, f"invalid value '{value}': must be {check[1]}")

    @property
    def is_refused(self):
        """Whether the doctor must find that the mount matrix is invalid."""
        return "'matrix problem" in str(self.data["expected"])

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
        identity = self.data.get("identity", {})
        for name, texts in (("compatible", identity.get("compatible")), ("chassis-type", [identity.get("chassis")])):
            if texts and texts[0]:
                files[f"sys/firmware/devicetree/base/{name}"] = "\0".join(texts) + "\0"
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
                unit = ", from readings in g (m/s² divided by 9.81)" if key == "up" else ""
                problem = "the known fault no longer occurs: remove it" if is_known else f"expected {wanted}, found {found[key]}{unit}"
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


def load(*paths):
    """The machines in files and folders, and the errors in them."""
    machines, errors = [], []
    for place in paths or [FOLDER]:
        files = sorted(place.glob("*.toml")) if place.is_dir() else [place]
        if not files:
            errors.append(f"{place}: no file '*.toml' in this folder")
        for path in files:
            try:
                machines.append(Machine(path))
            except Invalid as error:
                line, reason = error.args
                text = path.read_bytes().decode("utf-8", "replace") if path.is_file() else ""
                name = re.search(r'^machine *= *"(.*)"', text, re.M)
                shown = path.relative_to(FOLDER.parent) if FOLDER in path.parents else path
                errors.append(f"{shown}:{line}: {name[1] if name else 'unnamed machine'}: {reason}")
    return machines, errors


def page():
    machines, _ = load()
    columns = ["machine", "sensor", "poses", "tablet mode by", "seen", "source", "known faults"]
    rows = [columns, ["---"] * len(columns), *(machine.row() for machine in machines)]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n" for row in rows)


SAMPLE = """\
machine = "Sample"
source = ["owner/name#1"]
[identity]
dmi = { sys_vendor = "Maker" }
[[iio]]
driver = "kxcjk1013"
path = "platform/chip"
channels = ["accel"]
attributes = { name = "kxcjk1013", label = "accel-base", in_accel_scale = "0.01" }
udev = { ACCEL_MOUNT_MATRIX = "1, 0, 0; 0, 1, 0; 0, 0, 1", ACCEL_LOCATION = "base" }
[[iio]]
path = "platform/other"
attributes = { name = "other" }
[ssc]
node = "fastrpc"
[expected]
sensor = "iio:device0"
up = { top = [0, -1, 0] }
doctor = ["lid note: text"]
"""
# What is planted: the text that it replaces, the line of the error, and a part of its text.
PLANTED = [
    ("kxcjk1013\"\np", "kxcjk1031\"\np", 6, "iio.0.driver"), ("accel-base", "accel-bse", 9, "label"), ("0, 1, 0;", "0, 1 0;", 10, "MATRIX"),
    ("1, 0, 0; 0, 1", "e,.,-; 0, 1", 10, "MATRIX"), ("ACCEL_MOUNT", "ACCEL_MONT", 10, "unknown key"), ("driver", "drivr", 6, "unknown key"),
    ("[[iio]]\nd", "[[io]]\nd", 5, "unknown key"), ("top", "tpo", 18, "unknown key"), ("[0, -1, 0]", "[0, -1]", 18, "up.top"),
    ("[0, -1, 0]", '["a", 0, 0]', 18, "up.top"), ("[0, -1, 0]", "[0, -9.8, 0]", 18, "in g"), ("[0, -1, 0]", "[nan, 0, 0]", 18, "up.top"),
    ('"Sample"', "1", 1, "machine: invalid"), ("top = [", "top = ", 18, "syntax"), ('source = ["owner/name#1"]', "", 1, "source: missing"),
    ('["lid note: text"]', "[1]", 19, "doctor.0"), ("Maker", "M\xe4ker", 4, "UTF-8"), ("device0", "device7", 17, "sensor"),
    ("iio:device0", "event0", 17, "sensor"),
    ('name = "kxcjk1013"', "name = 5", 9, "attributes.name"), ('= "base"', '= "bas"', 10, "LOCATION"),
    ('["accel"]', '["acel"]', 8, "channels.0"), ('"0.01"', '"x"', 9, "in_accel_scale"), ('"0.01"', '"0"', 9, "in_accel_scale"),
    ('"iio:device0"', '"iio:device0"\nreading = "captured"', 18, "trigger"), ("platform/other", "platform/chip", 12, "another chip"),
    ("sys_vendor", "product_serial", 4, "unknown key"), ("sys_vendor", "vendor", 4, "unknown key"), ('"Maker"', "5", 4, "dmi.sys_vendor"),
    ('["owner/name#1"]', "[1]", 2, "source.0"), ("platform/chip", "../../../x", 7, "path"), ("platform/chip", "/tmp/x", 7, "path"),
    ("platform/chip", "a/../b", 7, "path"), ("platform/chip", "a/..", 7, "path"), ("fastrpc", "../x", 15, "node"),
    ("[ssc]", "[hub]\ndriverless = ['..']\n[ssc]", 15, "driverless"), ("[ssc]\nnode", "[[ssc]]\nnode", 14, "must be a table"),
    (SAMPLE[SAMPLE.index("sensor ="):], "", 16, "at least one of sensor, why"), ("[ssc]", "\n" * LONGEST + "[ssc]", LONGEST, "lines")]


def self_test():
    with tempfile.TemporaryDirectory() as name:
        folder, path = pathlib.Path(name), pathlib.Path(name, "sample.toml")
        for place in (folder, path):
            if load(place)[1] == []:
                sys.exit(f"machines.py: self-test: {place}, which has no file, is valid")
        for old, new, line, part in [("", "", 0, ""), *PLANTED]:
            path.write_text(SAMPLE.replace(old, new, 1), "latin-1")
            _, errors = load(folder)
            if [error for error in errors if f":{line}: " not in error or part not in error] or len(errors) != bool(line):
                sys.exit(f"machines.py: self-test: {old} -> {new}: {errors or 'not found'}")
    for known, found, count in [("", ["top"], 0), ("", [], 1), ('[known]\nup = "?"\n', ["top"], 1), ('[known]\nup = "?"\n', [], 0)]:
        if len(list(Machine(pathlib.Path("sample.toml"), SAMPLE + known).differences({"up": found}))) != count:
            sys.exit(f"machines.py: self-test: {known or 'expected'}: {found}")


def main(words):
    if words == ["--self-test"]:
        return self_test()
    if words[:1] != ["check"] and len(words) != {"page": 1, "trees": 2, "compare": 2}.get(words[0] if words else ""):
        sys.exit(__doc__)
    machines, errors = load(*map(pathlib.Path, words[1:] if words[0] == "check" else []))
    if words[:1] == ["page"]:
        print(page(), end="")
    elif words[:1] == ["trees"]:
        for machine in machines:
            machine.write(pathlib.Path(words[1]) / machine.file)
        print(json.dumps({machine.file: machine.data["expected"].get("up", {}) for machine in machines}))
    elif words[:1] == ["compare"]:
        found = json.loads(pathlib.Path(words[1]).read_text())
        errors += [error for machine in machines for error in machine.differences(found[machine.file])]
    elif not errors:
        print(f"{len(machines)} machines are valid")
    if errors:
        sys.exit("\n".join(errors))


if __name__ == "__main__":
    main(sys.argv[1:])
