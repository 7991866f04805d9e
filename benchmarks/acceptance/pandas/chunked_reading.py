import pandas as pd

with open("big.csv", "w") as file:
    file.write("user,amount\n")
    for number in range(1000):
        file.write(f"u{number % 7},{(number * 37) % 101}\n")

totals = pd.Series(dtype="int64")
chunks = 0
for chunk in pd.read_csv("big.csv", chunksize=300):
    chunks += 1
    totals = totals.add(chunk.groupby("user").amount.sum(), fill_value=0)
print(chunks, totals.astype(int).to_dict())
whole = pd.read_csv("big.csv", usecols=["amount"], nrows=10, dtype={"amount": "int16"})
print(whole.amount.tolist(), whole.dtypes.to_dict())
