#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run the integration tests of iio-sensor-proxy, as Debian packages their source, with orientationd and with iio-sensor-proxy
itself, in a Debian 13 directory. Needs root, for chroot and mounts.

    run.py PROGRAMS CACHE [TEST...]    PROGRAMS has the built programs; CACHE keeps the directory; TEST is a test's name
    run.py --build CACHE               only make the directory, with iio-sensor-proxy built

Prints a table: a row for each test, a column for each run; exit status 1 if iio-sensor-proxy fails a test, or orientationd one
that it should pass: all with the adaptations of suite.py, PASS_WITH_KERNEL with those to a real kernel alone; or if the lines of
the two programs monitor-sensor differ (TEST: monitor-sensor)."""

import json
import shutil
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3] / "Scripts"))

import debian_root  # noqa: E402

SUITE = "trixie"
# The release with the newest source of iio-sensor-proxy.
SOURCE_SUITE = "sid"

PACKAGES = [
    # Builds iio-sensor-proxy.
    "dpkg-dev", "gcc", "libc6-dev", "meson", "pkg-config", "libglib2.0-dev", "libgudev-1.0-dev", "libpolkit-gobject-1-dev", "systemd-dev",
    "polkitd",
    # Used by its tests.
    "python3-dbusmock", "python3-gi", "python3-dbus", "python3-psutil", "umockdev", "gir1.2-umockdev-1.0", "dbus", "locales",
    # Used by orientationd.
    "libiio0", "libjansson4", "libsystemd0",
]
HOOKS = [
    # Its Release file may be older than apt accepts.
    "--aptopt=Acquire::Check-Valid-Until false",
    f'--setup-hook=echo "deb-src [signed-by={debian_root.KEYRING}] {debian_root.mirror()} {SOURCE_SUITE} main" '
    '> "$1/etc/apt/sources.list.d/source.list"',
    '--customize-hook=mkdir "$1/suite" && cd "$1/suite" && '
    'APT_CONFIG="$MMDEBSTRAP_APT_CONFIG" apt-get source --download-only iio-sensor-proxy',
    '--customize-hook=chroot "$1" sh -ec "cd /suite && dpkg-source -x *.dsc source && '
    'meson setup build source -Dtests=false -Dgtk-tests=false -Dgtk_doc=false && meson compile -C build"',
    # Some tests run in a language with a decimal comma.
    '--customize-hook=chroot "$1" localedef -i fr_FR -f UTF-8 fr_FR.UTF-8',
]
# The runs: the title, the folder of the daemon, and the adaptations of suite.py.
RUNS = [
    ("iio-sensor-proxy", "build", "none"),
    ("orientationd, unchanged", "orientationd", "none"),
    ("orientationd, kernel", "orientationd", "kernel"),
    ("orientationd, all", "orientationd", "all"),
]
# What orientationd passes without further adaptations. The other tests expect that a chip is configured before it is claimed, or
# messages in the log.
PASS_WITH_KERNEL = {
    "test_fake_compass", "test_fake_light", "test_hwmon_light", "test_iio_accel_base_location", "test_iio_poll_light",
    "test_iio_poll_proximity", "test_iio_poll_proximity0", "test_iio_scale_decimal_separator_offset", "test_input_accel",
    "test_input_proximity", "test_unrequested_readings",
}


def adaptations_text() -> str:
    """Return what suite.py says about the adaptations."""
    text = (Path(__file__).parent / "suite.py").read_text()
    return text[text.index("`kernel` makes"):text.index('"""', text.index("`kernel` makes"))]


def directory(cache: Path) -> Path:
    """Return the directory, made if needed."""
    return debian_root.ensure(cache, SUITE, PACKAGES, *HOOKS)


def main(programs: Path, cache: Path, tests: list[str]) -> int:
    root = directory(cache)
    debian_root.mount(root, "proc", "dev", "sys")
    sources = root / "run/orientationd/src"
    sources.mkdir(parents=True)
    for path in (root / "suite/build/src/monitor-sensor", Path(__file__).parent / "iio-sensor-proxy"):
        shutil.copy(path, sources)
    (root / "run/build").symlink_to("/suite/build")
    names = ("orientationd", "orientationctl", "monitor-sensor")
    for path in (*(programs / name for name in names), *Path(__file__).parent.glob("*.py")):
        shutil.copy(path, root / "run/orientationd")
    if not tests or "monitor-sensor" in tests:
        status = debian_root.run(root, "run/orientationd", "python3", "monitor.py", "/run/orientationd",
                                 "/run/orientationd/monitor-sensor", "/suite/build/src/monitor-sensor")
        if status or tests == ["monitor-sensor"]:
            return status
    version = next((root / "suite").glob("*.dsc")).stem.split("_")[1]
    results = {}
    for title, folder, adaptations in RUNS:
        print(f"{title}: running", flush=True)
        (root / "run/result.json").unlink(missing_ok=True)
        # umockdev needs to be loaded before the interpreter.
        debian_root.run(
            root, "suite/source", "sh", "-c", 'exec "$@" > /run/log 2>&1', "-", "umockdev-wrapper", "python3", "/run/orientationd/suite.py",
            adaptations, "/run/result.json", *tests, top_builddir=f"/run/{folder}", top_srcdir="/suite/source")
        log = cache / f"{folder}-{adaptations}.log"
        shutil.copy(root / "run/log", log)
        if not (root / "run/result.json").exists():
            sys.exit(f"run.py: the tests did not end; see {log}")
        results[title] = json.loads((root / "run/result.json").read_text())
    names = sorted(results[RUNS[0][0]])
    width = max(map(len, names))
    print(f"\niio-sensor-proxy {version}")
    print(f"{'':{width}}", *(title for title, _, _ in RUNS), sep=" | ")
    for name in names:
        verdicts = (f"{'passed' if results[title][name] else 'failed':{len(title)}}" for title, _, _ in RUNS)
        print(f"{name:{width}}", *verdicts, sep=" | ")
    print(f"{'passed':{width}}", *(f"{sum(results[title].values()):<{len(title)}}" for title, _, _ in RUNS), sep=" | ")
    print(f"\n{adaptations_text()}")
    expected = {RUNS[0][0]: set(names), RUNS[2][0]: PASS_WITH_KERNEL & set(names), RUNS[3][0]: set(names)}
    failed = [
        f"{title}: {name}" for title, tests in expected.items() for name in sorted(tests) if not results[title][name]]
    if failed:
        print(f"FAILED: {'; '.join(failed)}; logs: {cache}")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    if sys.argv[1] == "--build":
        directory(Path(sys.argv[2]).resolve())
        sys.exit()
    debian_root.enter_namespace()
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3:]))
