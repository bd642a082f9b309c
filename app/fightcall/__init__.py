"""Fight Call: the combat tracker a GM keeps open at the table."""
