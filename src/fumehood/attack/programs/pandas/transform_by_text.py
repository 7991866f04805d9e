# aim: read a forbidden attribute of every group by giving its name as text
# mechanism: Series.transform looks a text up as a method
# language: builtins
# reason: the library reads names that the program chose
# jail: mount namespace, landlock
# plain: loot
# imports: pandas

import pandas


pandas.Series([1]).transform("to_csv", 0, scratch_path)
