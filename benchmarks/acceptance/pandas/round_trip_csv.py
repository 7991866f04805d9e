import os

import pandas as pd

frame = pd.DataFrame(
    {
        "when": pd.date_range("2024-01-01", periods=4, freq="D"),
        "name": ["a", "b,c", 'say "x"', ""],
        "value": [1.5, None, 3.0, -0.25],
    }
)
frame.to_csv("out.csv", index=False)
print(open("out.csv").read())
again = pd.read_csv("out.csv", parse_dates=["when"], keep_default_na=False, na_values={"value": [""]})
print(again.equals(frame), again["when"].dt.day_name().tolist())
frame.to_csv("out.tsv.gz", sep="\t", index_label="row", compression="gzip")
print(os.path.getsize("out.tsv.gz") > 0)
print(pd.read_csv("out.tsv.gz", sep="\t", index_col="row").head(2))
