"""The rule systems that come with Fight Call; others may be installed beside them."""
