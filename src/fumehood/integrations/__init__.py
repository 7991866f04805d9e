"""Other libraries' places for what fumehood does. Each file is for one library, and imports it when
it is first used."""
