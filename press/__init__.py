"""What prints the documentation: see mkdocs.yml."""
