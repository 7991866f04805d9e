import pandas as pd

frame = pd.DataFrame({"a": [1]})
try:
    pd.read_csv("nothing.csv")
except FileNotFoundError as error:
    print(error)
try:
    pd.read_csv("empty.csv") if open("empty.csv", "w").close() is None else None
except pd.errors.EmptyDataError as error:
    print(error)
frame["missing"]
