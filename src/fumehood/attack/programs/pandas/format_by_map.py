# aim: let a table format its cells
# mechanism: Series.map calls the raw format method for every element
# language: guard
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot
# imports: pandas

import textwrap

import pandas

loot(pandas.Series([textwrap.dedent], dtype=object).map("{0.__code__}".format)[0])
