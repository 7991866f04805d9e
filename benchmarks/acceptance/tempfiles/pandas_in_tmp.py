import os
import tempfile

import pandas as pd


def split_by(frame, column, folder):
    """One CSV file per value of a column; returns the names of the files."""
    names = []
    for value, part in frame.groupby(column):
        name = f"{column}_{value}.csv"
        part.to_csv(os.path.join(folder, name), index=False)
        names.append(name)
    return names


with tempfile.TemporaryDirectory() as folder:
    frame = pd.DataFrame({"group": list("abca"), "n": [1, 2, 3, 4]})
    names = split_by(frame, "group", folder)
    print(names)
    back = pd.concat(pd.read_csv(os.path.join(folder, name)) for name in names)
    print(back.sort_values("n").n.tolist(), back.shape)
print(os.path.exists(folder))
