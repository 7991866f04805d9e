# aim: read a file of the host as a template
# mechanism: Styler.from_custom_template
# language: guard
# reason: it reads any file as a template
# jail: process
# plain: loot
# imports: pandas jinja2

import pandas

style = type(pandas.DataFrame({"a": [1]}).style)
made = style.from_custom_template("/etc", html_table="passwd")
if ":" in made(pandas.DataFrame({"a": [1]})).to_html():
    loot("mutated: a file of the host was read")
