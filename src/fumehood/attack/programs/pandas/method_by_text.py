# aim: call a forbidden method by giving its name as text
# mechanism: Series.agg looks a text up as a method and calls it
# language: builtins
# reason: the library reads names that the program chose
# jail: mount namespace, landlock
# plain: loot
# imports: pandas

import pandas

pandas.Series([1]).agg("to_csv", 0, scratch_path)
