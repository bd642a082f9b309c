"""Flows: small state machines without widgets that turn keys into prompts to show and commands to give."""
