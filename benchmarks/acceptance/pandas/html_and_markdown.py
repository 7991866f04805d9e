from io import StringIO

import pandas as pd

frame = pd.DataFrame({"x": [1, 2], "y": ["<b>", None]})
html = frame.to_html(index=False, border=0)
print(html)
frame.to_html("table.html")
print(pd.read_html(StringIO(html))[0])
print(frame.to_latex(index=False) if hasattr(frame, "style") and False else frame.to_dict("list"))
print(frame.to_dict("records"))
frame.to_csv("semi.csv", sep=";", na_rep="NA", header=["first", "second"])
print(open("semi.csv").read())
with pd.option_context("display.max_rows", 4, "display.precision", 2):
    print(pd.DataFrame({"n": range(20), "third": [n / 3 for n in range(20)]}))
