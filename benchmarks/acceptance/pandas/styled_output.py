import pandas as pd

frame = pd.DataFrame(
    {"item": ["tea", "coffee"], "price": [2.5, 3.75], "sold": [1200, 950]}
).set_index("item")
print(frame.to_string(formatters={"price": "${:.2f}".format, "sold": "{:,}".format}))
frame.info()
print(frame.T)
print(frame.memory_usage(index=False).to_dict())
frame.to_string("table.txt")
print(open("table.txt").read())
for row in frame.itertuples():
    print(row.Index, row.price, row.sold)
for name, column in frame.items():
    print(name, column.sum())
