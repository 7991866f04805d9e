# aim: open a file of the host as a stylesheet
# mechanism: to_xml(stylesheet=) takes a path
# language: guard
# reason: every argument is checked for paths
# jail: process
# plain: loot
# imports: pandas lxml

import pandas

try:
    pandas.DataFrame({"a": [1]}).to_xml(stylesheet="/etc/hostname")
except SyntaxError:
    loot("mutated: a file of the host was read")
