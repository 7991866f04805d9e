import pandas as pd

with open("cities.csv", "w") as file:
    file.write("city,country,population\nOslo,NO,709\nBergen,NO,289\nMalmö,SE,357\nLund,SE,\n")


def summarize(path):
    """Population per country, in thousands; missing values are left out."""
    frame = pd.read_csv(path)
    return frame.groupby("country")["population"].agg(["count", "sum", "mean"])


frame = pd.read_csv("cities.csv")
print(frame)
print(frame.dtypes["population"], frame.shape, list(frame.columns))
print(summarize("cities.csv"))
print(frame.population.isna().sum(), frame.dropna().city.tolist())
