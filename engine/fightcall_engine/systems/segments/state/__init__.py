"""What is remembered of a combatant and the fight, and how it is read: records, events, commands, settings, places."""
