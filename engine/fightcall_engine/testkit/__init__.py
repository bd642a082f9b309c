"""Tools for testing a rule system, also for plug-ins.

- `plays.Conversation`: worked examples, by the lines of the headless protocol.
- `plays.Plays`: short recorded fights, compared by what matters of them, not by their wording.
- `perft.perft`: counts the lines of play of a few commands, and collects offers that are refused.
- `random_player.RandomPlayer`: plays an encounter at random, with a GM who changes anything, and checks invariants.
- `machine.FightMachine`: a Hypothesis machine with commands of every kind (needs ``fightcall[testkit]``).
"""
