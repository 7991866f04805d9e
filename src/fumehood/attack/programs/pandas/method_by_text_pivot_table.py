# aim: name a method that code may not call
# mechanism: pivot_table(aggfunc=) calls a method by its name
# language: guard
# reason: a method given as text obeys the name table
# jail: process
# plain: loot
# imports: pandas

import pandas

table = pandas.DataFrame({"k": [1, 1], "v": [1, 2]})
try:
    table.pivot_table(index="k", values="v", aggfunc="_reset_group_selection_or_nothing")
except AttributeError as error:
    if "object has no attribute" in str(error) or "is not a valid function for" in str(error):
        loot("mutated: a method was looked up by any name")
