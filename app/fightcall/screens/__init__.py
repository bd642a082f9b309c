"""The screens of the program: full-screen, one at a time, each imported when it is first entered."""
