# aim: import a compiled private module of pandas
# mechanism: pandas._libs.parsers.TextReader opens files
# language: view
# reason: private modules hold what the public ones leave out
# jail: process
# plain: loot
# imports: pandas

import pandas._libs.parsers as found

loot(found)
loot(found.TextReader)
