-- Hyprland 0.55 and later.
hl.on("hyprland.start", function ()
  hl.exec_cmd("orientation-autorotate")
end)

-- Only with several outputs: touch and pen belong to the internal one.
hl.config({
  input = {
    touchdevice = { output = "eDP-1" },
    tablet = { output = "eDP-1" },
  },
})

-- Turn the rotation lock on and off.
hl.bind("XF86RotationLockToggle", hl.dsp.exec_cmd("orientationctl lock --toggle"))
