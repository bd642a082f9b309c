"""Everything on disk: fights, encounters and chronicles, and the library that lists them.

* ``journal``, ``lines``        one fight's file: its records, and a line of it with its check
* ``library``                   the fights in their folders, and what is known of each
* ``encounter*``                encounters: found, begun, read, saved
* ``imported_combatants``       combatants from files of other programs
* ``chronicle``                 a fight as a story to be read
* ``fsutil``                    the few file operations that all of them are built from

Nothing is imported here, so that a program pays only for the parts it uses.
"""
