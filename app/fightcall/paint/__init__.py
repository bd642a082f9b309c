"""Pure drawing: from small value types to rows of styled text.

Nothing in this package knows a widget, a terminal or a rule. A pane turns its part of the fight into the
value types defined here, gets rows of runs back, and looks each run's style key up in the theme's palette.
"""
