import pandas as pd

orders = pd.DataFrame({"order": [1, 2, 3, 4], "customer": [10, 11, 10, 99], "total": [5.0, 7.5, 1.0, 2.0]})
customers = pd.DataFrame({"customer": [10, 11, 12], "name": ["Ann", "Bob", "Cy"]})
for how in ("inner", "left", "right", "outer"):
    merged = orders.merge(customers, on="customer", how=how, indicator=True)
    print(how, len(merged), merged["_merge"].value_counts().sort_index().to_dict())
spent = orders.merge(customers, on="customer").groupby("name").total.sum().sort_values(ascending=False)
print(spent)
try:
    orders.merge(customers, on="customer", validate="one_to_one")
except pd.errors.MergeError as error:
    print("MergeError:", error)
print(pd.concat([orders.head(1), customers.head(1)], ignore_index=True))
