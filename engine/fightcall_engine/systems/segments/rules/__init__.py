"""Formulas and tables: they know no fight, only numbers."""
