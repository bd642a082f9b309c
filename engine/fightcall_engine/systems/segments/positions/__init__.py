"""Where figures stand and how they come upon each other: places, fields, distances, ways."""
