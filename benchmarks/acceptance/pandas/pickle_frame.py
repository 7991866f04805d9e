import pandas as pd

frame = pd.DataFrame({"k": pd.Categorical(["a", "b", "a"]), "v": [1, 2, 3]}).set_index("k")
frame.attrs["source"] = "test"
frame.to_pickle("frame.pkl")
again = pd.read_pickle("frame.pkl")
print(again.equals(frame), again.attrs, type(again.index).__name__)
series = pd.Series([1.0, 2.0], index=pd.period_range("2024-01", periods=2, freq="M"), name="sales")
series.to_pickle("series.pkl.bz2")
print(pd.read_pickle("series.pkl.bz2"))
