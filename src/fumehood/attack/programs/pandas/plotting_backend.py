# aim: import any module by naming it as the plotting backend
# mechanism: Series.plot imports the module that the option names
# language: builtins
# reason: the library imports names that the program chose
# jail: process
# plain: loot
# imports: pandas
# limit: by naming it as a plotting backend

import pandas

try:
    pandas.Series([1]).plot(backend="antigravity_not_there")
except Exception as error:
    if "antigravity_not_there" in str(error) and "backend" in str(error):
        loot("mutated: the library tried to import a module that the program named")
