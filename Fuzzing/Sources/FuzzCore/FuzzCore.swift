// SPDX-License-Identifier: Apache-2.0

// The target is in the main package, where it can import internal declarations.
import CoreFuzzing
