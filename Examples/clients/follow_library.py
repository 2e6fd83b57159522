#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Follow the orientation with the module of liborientation, over orientationd or iio-sensor-proxy: follow_library.py"""
import orientation

for state in orientation.follow():
    if state.rotation < 0:
        print("unknown:", state.reason, flush=True)
    else:
        print(f"{state.edge} edge up, picture rotated by {state.rotation} degrees", flush=True)
