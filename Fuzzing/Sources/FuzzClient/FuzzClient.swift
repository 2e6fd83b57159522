// SPDX-License-Identifier: Apache-2.0

// The target is in the package's own manifest, where it reaches what is not public.
import ClientFuzzing
