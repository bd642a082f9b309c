"""What outlives the program: the journals of fights and the library that lists them.

* ``lines``    one journal line: its form, its check, the whole file judged (pure);
* ``journal``  one fight's file: write, read, follow, check, repair;
* ``storage``  the crash-safe file under the catalogue (TinyDB);
* ``cards``    the catalogue's records (pydantic);
* ``library``  the catalogue and the folders it keeps;
* ``fsutil``   the few file operations all of them are built from.

Nothing is imported here, so that a program pays only for the parts it uses.
"""
