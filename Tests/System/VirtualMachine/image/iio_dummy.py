#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""iio_dummy.py DIRECTORY: change the source of the kernel's example driver iio_dummy, so that the daemon can use it.

The driver has one accelerometer axis with a fixed value, and events of other channels. This adds the axes y and z, values
that root writes, and the motion event of a BMC150 with its names of attributes and of the driver. The event is generated
with iio_dummy_evgen: 4 in its file poke_ev0."""

import sys
from pathlib import Path

# The text before which, or instead of which, the new text comes; in Linux 6.1 and 6.12.
ATTRIBUTES = """
static const struct iio_event_spec iio_motion_event = {
	.type = IIO_EV_TYPE_ROC,
	.dir = IIO_EV_DIR_EITHER,
	.mask_separate = BIT(IIO_EV_INFO_VALUE) | BIT(IIO_EV_INFO_ENABLE),
};

#define IIO_DUMMY_AXIS(_axis) {						\\
	.type = IIO_ACCEL,						\\
	.modified = 1,							\\
	.channel2 = IIO_MOD_##_axis,					\\
	.info_mask_separate = BIT(IIO_CHAN_INFO_RAW),			\\
	.info_mask_shared_by_type = BIT(IIO_CHAN_INFO_SCALE),		\\
	.scan_index = -1,						\\
}
"""

# In front of the driver's own functions, which lock differently in both versions.
ACCESS = """static int iio_dummy_read_axis(struct iio_dev *indio_dev,
			       struct iio_chan_spec const *chan,
			       int *val, int *val2, long mask)
{
	struct iio_dummy_state *st = iio_priv(indio_dev);

	if (chan->type == IIO_ACCEL && mask == IIO_CHAN_INFO_RAW) {
		*val = READ_ONCE(st->accel_axes[chan->channel2 - IIO_MOD_X]);
		return IIO_VAL_INT;
	}
	if (chan->type == IIO_ACCEL && mask == IIO_CHAN_INFO_SCALE) {
		*val = 0;
		*val2 = 9580;
		return IIO_VAL_INT_PLUS_MICRO;
	}
	return iio_dummy_read_raw(indio_dev, chan, val, val2, mask);
}

static int iio_dummy_write_axis(struct iio_dev *indio_dev,
				struct iio_chan_spec const *chan,
				int val, int val2, long mask)
{
	struct iio_dummy_state *st = iio_priv(indio_dev);

	if (chan->type == IIO_ACCEL && mask == IIO_CHAN_INFO_RAW) {
		WRITE_ONCE(st->accel_axes[chan->channel2 - IIO_MOD_X], val);
		return 0;
	}
	return iio_dummy_write_raw(indio_dev, chan, val, val2, mask);
}

"""

# The daemon finds the driver's name at the device's parent, which iio_dummy has none.
PARENT = """static int iio_dummy_chip_probe(struct platform_device *pdev)
{
	return 0;
}

static struct platform_driver iio_dummy_chip_driver = {
	.probe = iio_dummy_chip_probe,
	.driver = { .name = "bmc150_accel_i2c" },
};

static struct platform_device *iio_dummy_chip;

"""

REGISTRATION = """static int __init iio_dummy_init(void)
{
	int ret = platform_driver_register(&iio_dummy_chip_driver);

	if (ret)
		return ret;
	iio_dummy_chip = platform_device_register_simple(
		"bmc150_accel_i2c", PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(iio_dummy_chip)) {
		ret = PTR_ERR(iio_dummy_chip);
		goto error_driver;
	}
	ret = iio_register_sw_device_type(&iio_dummy_device);
	if (!ret)
		return 0;
	platform_device_unregister(iio_dummy_chip);
error_driver:
	platform_driver_unregister(&iio_dummy_chip_driver);
	return ret;
}
module_init(iio_dummy_init);

static void __exit iio_dummy_exit(void)
{
	iio_unregister_sw_device_type(&iio_dummy_device);
	platform_device_unregister(iio_dummy_chip);
	platform_driver_unregister(&iio_dummy_chip_driver);
}
module_exit(iio_dummy_exit);
"""

EVENT = """	case 4:
		if (st->event_en)
			iio_push_event(indio_dev,
				       IIO_MOD_EVENT_CODE(IIO_ACCEL, 0,
							  IIO_MOD_X_OR_Y_OR_Z,
							  IIO_EV_TYPE_ROC,
							  IIO_EV_DIR_EITHER),
				       st->event_timestamp);
		break;
"""

# For each file: a text, what precedes it in the result, and whether the text itself remains.
CHANGES = {
    "iio_simple_dummy.h": [
        ("	int accel_calibbias;\n", "	int accel_axes[3];\n", True),
    ],
    "iio_simple_dummy.c": [
        ("#include <linux/string.h>\n", "#include <linux/platform_device.h>\n", True),
        ("#endif\n\n/*\n * iio_dummy_channels -", ATTRIBUTES, True),
        ("		.scan_index = DUMMY_INDEX_ACCELX,\n",
         "		.info_mask_shared_by_type = BIT(IIO_CHAN_INFO_SCALE),\n"
         "		.event_spec = &iio_motion_event,\n		.num_event_specs = 1,\n", True),
        ("	/*\n	 * Convenience macro for timestamps.", "	IIO_DUMMY_AXIS(Y),\n	IIO_DUMMY_AXIS(Z),\n", True),
        ("/*\n * Device type specific information.", ACCESS, True),
        ("	.read_raw = &iio_dummy_read_raw,\n", "	.read_raw = &iio_dummy_read_axis,\n", False),
        ("	.write_raw = &iio_dummy_write_raw,\n", "	.write_raw = &iio_dummy_write_axis,\n", False),
        ("	st->accel_calibbias = -7;\n", "	st->accel_axes[2] = 1024;\n", True),
        ("/**\n * iio_dummy_probe() -", PARENT, True),
        ("	struct device *parent = NULL;\n", "	struct device *parent = &iio_dummy_chip->dev;\n", False),
        ("module_iio_sw_device_driver(iio_dummy_device);\n", REGISTRATION, False),
    ],
    "iio_simple_dummy_events.c": [
        ("	case IIO_ACTIVITY:\n		switch (type) {\n", "	case IIO_ACCEL:\n		st->event_en = state;\n		break;\n", True),
        ("	default:\n		break;\n	}\n\n	return IRQ_HANDLED;", EVENT, True),
    ],
    # In Debian's kernels the interrupt simulator is missing, and a module cannot call irq_to_desc().
    "irq_sim.c": [
        ("handle_simple_irq(irq_to_desc(irqnum));", "generic_handle_irq(irqnum);", False),
    ],
}

for name, changes in CHANGES.items():
    file = Path(sys.argv[1], name)
    text = file.read_text()
    for old, new, remains in changes:
        if text.count(old) != 1:
            sys.exit(f"{file}: found {text.count(old)} times instead of once: {old!r}")
        text = text.replace(old, new + old if remains else new, 1)
    file.write_text(text)
