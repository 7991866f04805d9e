import numpy as np
import pandas as pd

rng = np.random.default_rng(42)
frame = pd.DataFrame(
    {
        "store": rng.choice(["north", "south"], 24),
        "item": rng.choice(["tea", "coffee", "milk"], 24),
        "units": rng.integers(1, 20, 24),
        "price": rng.uniform(1, 5, 24).round(2),
    }
)
frame["revenue"] = (frame.units * frame.price).round(2)
table = frame.pivot_table(index="store", columns="item", values="revenue", aggfunc="sum", margins=True)
print(table.round(1))
print(frame.groupby(["store", "item"], as_index=False).units.max())
best = frame.loc[frame.groupby("item").revenue.idxmax(), ["item", "store", "revenue"]]
print(best.to_string(index=False))
