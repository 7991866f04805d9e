# Call a forbidden method by giving its name as text.
# mechanism: Series.agg looks a text up as a method and calls it
# stopped by: builtins
# reason: the library reads names that the program chose
# imports: pandas

import pandas

pandas.Series([1]).agg("to_csv", 0, scratch_path)
