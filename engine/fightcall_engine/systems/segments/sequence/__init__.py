"""What comes when: the Combat Segment, its order of play, passes, and the Action that is due."""
