"""What each operation of the native API does. A handler takes a Call; table.py says for which
method and path."""
