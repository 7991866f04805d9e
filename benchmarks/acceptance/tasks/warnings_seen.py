import warnings, numpy as np, pandas as pd, sys
warnings.warn("w1"); warnings.warn("w1", DeprecationWarning)
np.array([1.]) / 0
with warnings.catch_warnings(record=True) as c: warnings.simplefilter("always"); warnings.warn("x"); print(len(c), c[0].category.__name__)
warnings.filterwarnings("ignore"); warnings.warn("hidden"); print(np.log(-1))
print("to stderr", file=sys.stderr); sys.stdout.write("no newline"); print(); print("a", "b", sep="-", end="!\n", flush=True)
