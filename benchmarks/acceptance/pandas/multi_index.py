import pandas as pd

index = pd.MultiIndex.from_product([["2023", "2024"], ["Q1", "Q2"]], names=["year", "quarter"])
frame = pd.DataFrame({"sales": [10, 20, 30, 40], "costs": [5, 9, 14, 26]}, index=index)
print(frame)
print(frame.xs("Q2", level="quarter"))
print(frame.unstack("quarter"))
print(frame.stack().loc["2024"].to_dict())
frame.to_csv("multi.csv")
print(pd.read_csv("multi.csv", index_col=[0, 1], dtype={"year": str}).loc[("2024", "Q1"), "sales"])
print(frame.groupby(level="year").sum().pct_change().round(3).to_dict())
melted = frame.reset_index().melt(id_vars=["year", "quarter"], var_name="kind")
print(melted.sort_values(["kind", "year", "quarter"]).head(3))
