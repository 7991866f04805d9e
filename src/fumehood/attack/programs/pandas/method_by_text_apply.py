# aim: call a forbidden method of a table by giving its name as text
# mechanism: DataFrame.apply looks a text up as a method and calls it
# language: builtins
# reason: the library reads names that the program chose
# jail: mount namespace, landlock
# plain: loot
# imports: pandas

import pandas

pandas.DataFrame({"a": [1]}).apply("to_csv", args=(scratch_path,))
