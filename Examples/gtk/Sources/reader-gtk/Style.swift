// SPDX-License-Identifier: Apache-2.0

import CGTK
import GTKRotation

/// Loads the colours. The tests find the parts of the interface by them.
func useStyle() {
    let css = """
        .page1 { background: #fdf6e3; color: #222; }
        .page2 { background: #e3f0fd; color: #222; }
        .page3 { background: #e9fde3; color: #222; }
        .heading { background: #c82828; color: white; padding: 16px; font-size: 24px; }
        .text { padding: 24px; font-size: 20px; }
        button { border-radius: 0; border: none; box-shadow: none; color: white; padding: 20px 0; font-size: 18px;
                 text-shadow: none; }
        .lock { background: #2850c8; }
        .locked .lock { background: #8c28c8; }
        .film { background: #e68c14; }
        .next { background: #28a03c; }
        .close { background: #dcc828; color: #222; padding: 16px 24px; margin: 16px; }
        """
    let provider = gtk_css_provider_new()
    gtk_css_provider_load_from_data(provider, css, -1)
    gtk_style_context_add_provider_for_display(
        gdk_display_get_default(), OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
}

/// Gives a widget a class of the style, and takes another from it.
func style(_ widget: Widget, _ name: String, instead other: String? = nil) {
    if let other { gtk_widget_remove_css_class(widget, other) }
    gtk_widget_add_css_class(widget, name)
}
