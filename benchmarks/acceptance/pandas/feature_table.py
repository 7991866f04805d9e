import numpy as np
import pandas as pd

frame = pd.DataFrame(
    {"color": ["red", "blue", "red", "green"], "size": ["S", "L", "M", "L"], "price": [10.0, 15.5, 12.0, 9.5]}
)
dummies = pd.get_dummies(frame, columns=["color"], dtype=int)
print(dummies)
frame["size_code"] = frame["size"].map({"S": 0, "M": 1, "L": 2})
frame["price_z"] = ((frame.price - frame.price.mean()) / frame.price.std()).round(3)
codes, names = pd.factorize(frame.color)
print(codes, list(names))
print(frame[["size_code", "price", "price_z"]].corr().round(2))
print(np.asarray(frame[["size_code", "price"]]).tolist())
print(frame.describe().loc[["mean", "std", "max"]].round(2))
