"""From what a model writes to the code that is run."""
