# SPDX-License-Identifier: Apache-2.0
"""The lines with which the comparisons report their targets; bench.py repeats them at the end of a result file."""

PREFIX = "target: "


def report(what, value, limit, unit=""):
    """Print a figure beside its target, which is the largest value that meets it."""
    verdict = "met" if value <= limit else "missed"
    print(f"{PREFIX}{what}: {value:.2f}{unit}, at most {limit:.2f}{unit}: {verdict}", flush=True)
