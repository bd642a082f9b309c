"""What somebody sets out to do: declaring, moving, tasks, objects, surprise, heroics."""
