"""What an agent does, on a terminal."""
