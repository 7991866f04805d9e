# aim: read attributes by a format string
# mechanism: Styler.format formats every cell with a string
# language: guard
# reason: a format string reads attributes by names inside the string
# jail: process
# plain: loot
# imports: pandas jinja2

import textwrap

import pandas

table = pandas.DataFrame({"a": [textwrap.dedent]}, dtype=object)
if "__builtins__" in table.style.format("{0.__globals__}", escape=None).to_html():
    loot("mutated: the variables of a library as text")
