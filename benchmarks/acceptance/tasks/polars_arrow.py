# needs: polars
import polars as pl, pyarrow as pa, pyarrow.parquet as pq, pandas as pd
d = pl.DataFrame({"a": [1, 2, 2], "b": ["x", "y", "y"]}); print(d.group_by("b").agg(pl.col("a").sum()).sort("b")); d.write_parquet("d.pq"); print(pq.read_table("d.pq").to_pandas().a.tolist(), pl.scan_parquet("d.pq").filter(pl.col("a") > 1).collect().height, pd.read_parquet("d.pq").shape)
d.write_csv("d.csv"); print(pl.read_csv("d.csv").columns, d.to_pandas().dtypes.astype(str).tolist())
