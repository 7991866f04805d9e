import pandas as pd


def grade(score):
    for bound, letter in ((90, "A"), (80, "B"), (70, "C")):
        if score >= bound:
            return letter
    return "F"


frame = pd.DataFrame({"name": ["Ann", "Bob", "Cy", "Di"], "math": [95, 72, 88, 61], "art": [81, 90, 68, 77]})
frame["mean"] = frame[["math", "art"]].mean(axis=1)
frame["grade"] = frame["mean"].apply(grade)
print(frame)
print(frame.apply(lambda row: f"{row['name']}:{max(row['math'], row['art'])}", axis=1).tolist())
print(frame.set_index("name")[["math", "art"]].idxmax(axis=1).to_dict())
print(frame.query("mean > 78 and grade != 'A'").name.tolist())
print(frame.eval("math - art").tolist())
frame["band"] = pd.cut(frame["mean"], [0, 70, 80, 100], labels=["low", "mid", "high"])
print(frame.band.value_counts().sort_index())
