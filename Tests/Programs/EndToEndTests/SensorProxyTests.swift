// SPDX-License-Identifier: Apache-2.0

import Testing

/// The SensorProxy service. Serialized, with its extensions: each test blocks its thread.
@Suite(.serialized) enum SensorProxyTests {}
