# Start the test runner of pandas.
# mechanism: pandas.test
# stopped by: view
# reason: test starts pytest
# imports: pandas

import pandas

loot(pandas.test)
