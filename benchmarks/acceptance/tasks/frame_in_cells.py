# %%
import pandas as pd, numpy as np
df = pd.DataFrame({"a": [1, 2, 3], "b": list("xyz")})
df.head(2)
# %%
df.info()
# %%
df.describe()
# %%
df["a"].plot(kind="bar")
None
# %%
import matplotlib.pyplot as plt
fig, ax = plt.subplots(1, 2); ax[0].plot(df.a); ax[1].hist(df.a)
plt.tight_layout(); plt.show()
# %%
_ = df.groupby("b").a.sum()
_.to_dict()
# %%
try:
    df["nope"]
except KeyError as e:
    print("KeyError", e)
# %%
[x for x in df.itertuples(index=False)][0]._asdict()
