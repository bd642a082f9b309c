"""The subcommands of ``fightcall``. Their functions take plain values and return an exit code."""
