"""What the screen and the protocol are shown: cards, options, phrases, marks. Only `system` reads them."""
