# needs: docx
import openpyxl, docx, xlwt, pandas as pd
w = openpyxl.Workbook(); w.active["A1"] = 5; w.save("w.xlsx"); print(openpyxl.load_workbook("w.xlsx").active["A1"].value, pd.read_excel("w.xlsx", header=None).values.tolist())
d = docx.Document(); d.add_paragraph("hi"); d.save("d.docx"); print([p.text for p in docx.Document("d.docx").paragraphs])
b = xlwt.Workbook(); b.add_sheet("s").write(0, 0, 1); b.save("x.xls")
with pd.ExcelWriter("m.xlsx") as xw: pd.DataFrame({"a": [1]}).to_excel(xw, sheet_name="q", index=False)
print(pd.ExcelFile("m.xlsx").sheet_names)
