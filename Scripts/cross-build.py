#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Build the programs and their Debian packages for arm64 on an amd64 machine, with Debian's Swift in a directory. Needs root,
for chroot and mounts.

    cross-build.py SWIFT CACHE PACKAGE...    SWIFT keeps the directory with the compiler, CACHE the one with the libraries of
                                             arm64; the Debian packages are those with which SWIFT is made

Puts the packages beside CACHE, and prints their paths."""

import shutil
import subprocess
import sys
from pathlib import Path

import arm64_root
import debian_root
import swift_root

PROGRAMS = ["orientationd", "orientationctl", "orientation-autorotate", "orientation-tablet-switch", "monitor-sensor"]
# In the directory with the compiler. Debian's Swift brings its own clang, which is not on the PATH.
CLANG = "/usr/libexec/swift/bin/clang"
TARGET = ["--target=aarch64-unknown-linux-gnu", "--sysroot=/sysroot", "-fuse-ld=lld"]
BUILD = ".build-arm64"
STATIC = ".build-arm64/static"
SYSROOT = "sysroot"
SDKS = "sdks"
# In the directory with the libraries.
PACKAGING = "packaging"


def build(compiler: Path, sysroot: Path) -> Path:
    """Build the programs; return their directory."""
    (compiler / SYSROOT).mkdir(exist_ok=True)
    subprocess.run(["mount", "--bind", sysroot, compiler / SYSROOT], check=True)
    sdk = arm64_root.write_sdk(compiler / SDKS, f"/{SYSROOT}")
    # The linker takes this one instead of that of the compiler's machine.
    static = compiler / swift_root.SOURCES / STATIC
    static.mkdir(parents=True, exist_ok=True)
    (library,) = sysroot.glob("usr/lib/gcc/aarch64-linux-gnu/*/libstdc++.a")
    (static / "libstdc++.a").unlink(missing_ok=True)
    (static / "libstdc++.a").symlink_to(f"/{SYSROOT}/{library.relative_to(sysroot)}")
    command = f"swift build --swift-sdks-path /{SDKS} --swift-sdk {sdk} --scratch-path {BUILD}"
    status = swift_root.run(
        compiler, "make", "executables", f"STATIC={STATIC}", f"SWIFT_BUILD={command}",
        f"CC={' '.join([CLANG, *TARGET])}",
        PKG_CONFIG_PATH=f"/{SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig")
    if status:
        raise SystemExit(f"cannot build the programs for arm64: the build ended with status {status}")
    return compiler / swift_root.SOURCES / BUILD / "release"


def make_packages(root: Path, programs: Path) -> list[Path]:
    """Make the packages of built programs, with the libraries in `root`; return the packages."""
    packaging = root / PACKAGING
    shutil.rmtree(packaging, ignore_errors=True)
    swift_root.copy_sources(packaging / "orientationd")
    built = packaging / "programs"
    built.mkdir()
    for name in PROGRAMS:
        shutil.copy(programs / name, built)
    # The tool prints its completions.
    tool = packaging / "orientationctl"
    tool.write_text(f'#!/bin/sh\nexec qemu-aarch64 /{PACKAGING}/programs/orientationctl "$@"\n')
    tool.chmod(0o755)
    debian_root.mount(root, "proc", "dev")
    # The library for C is compiled here.
    shutil.copytree(packaging / "orientationd", packaging / "liborientation")
    shutil.rmtree(packaging / "liborientation/debian")
    shutil.copytree(packaging / "orientationd/packaging/liborientation/debian", packaging / "liborientation/debian")
    for source in ("orientationd", "liborientation"):
        status = debian_root.run(
            root, f"{PACKAGING}/{source}", "sh", "-c",
            f"dpkg-buildpackage --build=binary --host-arch=arm64 --no-sign -d >../{source}.log 2>&1",
            DEB_BUILD_OPTIONS="nocheck noautodbgsym", ORIENTATIOND_PROGRAMS=f"/{PACKAGING}/programs", ORIENTATIONCTL=f"/{PACKAGING}/orientationctl")
        if status:
            raise SystemExit(f"cannot make the packages of {source}:\n{(packaging / f'{source}.log').read_text()[-3000:]}")
    return sorted(packaging.glob("*.deb"))


def main(swift: Path, cache: Path, packages: list[str]) -> None:
    compiler = swift_root.enter(swift, packages)
    root = arm64_root.ensure(cache, swift_root.version(compiler))
    for package in make_packages(root, build(compiler, root)):
        print(shutil.copy(package, cache.parent))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    debian_root.enter_namespace()
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3:])
