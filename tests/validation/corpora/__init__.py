"""Texts on which validation is measured: ordinary outputs, and the same with something planted."""
