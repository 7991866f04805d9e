import warnings

import numpy as np
import pandas as pd

print(np.log(np.array([1.0, 0.0])))
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    print(np.array([1, 2]) / np.array([0, 1]))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    np.sqrt(np.array([-1.0]))
    print([str(warning.message) for warning in caught])
print(np.mean([]))
print(pd.to_datetime(pd.Series(["2024-01-01"])).dt.year.tolist())
