# needs: numexpr
import pandas as pd, numpy as np
df = pd.DataFrame(np.arange(3_000_000.).reshape(100_000, 30)); print(float((df + df).sum().sum()), df.set_axis([f"c{i}" for i in range(30)], axis=1).query("c0 > 10 and c1 < 100").shape, pd.eval("1+2"), df.eval("x = 1").shape)
