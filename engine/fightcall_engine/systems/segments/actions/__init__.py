"""Declaring and preparing: declarations, movement, tasks, objects, Surprise, heroic deeds."""
