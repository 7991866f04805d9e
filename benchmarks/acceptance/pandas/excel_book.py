# needs: openpyxl
import pandas as pd

sales = pd.DataFrame({"month": ["Jan", "Feb"], "total": [100, 150.5]})
staff = pd.DataFrame({"name": ["Ann", "Bob"], "since": pd.to_datetime(["2020-01-01", "2021-06-30"])})
with pd.ExcelWriter("book.xlsx") as writer:
    sales.to_excel(writer, sheet_name="sales", index=False)
    staff.to_excel(writer, sheet_name="staff", index=False)
book = pd.read_excel("book.xlsx", sheet_name=None)
for name, sheet in book.items():
    print(name, sheet.shape)
    print(sheet)
