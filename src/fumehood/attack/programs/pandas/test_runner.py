# aim: start the test runner of pandas
# mechanism: pandas.test
# language: view
# reason: test starts pytest
# jail: process
# plain: loot
# imports: pandas

import pandas

loot(pandas.test)
