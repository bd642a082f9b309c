"""The headless protocol for scripts, tests and tools: a JSON object in each line, and one in each answer.

``{"do": COMMAND, ...}`` gives a command, ``{"ask": WHAT, ...}`` asks something. An answer has ``"ok": true``, or
``"ok": false`` with ``refused`` (a rule says no), ``needs`` (dice the table owes) or ``error`` (it can't be read).
Whatever is not ok has changed nothing. An ``"id"`` in the request comes back in the answer, except that of a ``join``,
which is the combatant's.
"""
