# %%
import numpy as np

a = np.arange(6).reshape(2, 3)
a
# %%
a.T @ a
# %%
a.mean(), a.std().round(3), a.shape
# %%
mask = a % 2 == 0
a[mask]
# %%
np.linspace(0, 1, 5)
# %%
{"sum": int(a.sum()), "rows": a.sum(axis=1)}
