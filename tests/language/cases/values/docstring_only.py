# A cell that is one string has that string as its value.
"""Only a text."""
