"""What a rule system's own tests can use, shipped so that a plug-in has it too.

- `conversation.Conversation`: worked examples, by the lines of the headless protocol.
- `plays.Plays`: short fights written down, and compared by what matters of them, not by their words.
- `perft.perft`: every line of play of a few commands, counted; what is offered and refused is collected.
- `random_player.RandomPlayer`: an encounter played at random while the GM changes everything, with the laws that hold.
- `machine.FightMachine`: Hypothesis gives commands of every kind in every order (needs ``fightcall[testkit]``).
"""
