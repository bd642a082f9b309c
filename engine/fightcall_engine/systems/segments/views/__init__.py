"""What screen and protocol show: cards, options, phrases, marks. Only `system` imports these modules."""
