"""From a hit to its wounds: potence, armour, knock-back, pain, and the checks they call for."""
