import numpy as np
from scipy import stats

rng = np.random.default_rng(11)
control = rng.normal(10, 2, 60)
treated = rng.normal(11.5, 2, 60)
result = stats.ttest_ind(control, treated, equal_var=False)
print(f"t = {result.statistic:.4f}, p = {result.pvalue:.5f}")
print("significant" if result.pvalue < 0.05 else "not significant")
table = np.array([[20, 15], [30, 45]])
chi2, p, dof, expected = stats.chi2_contingency(table)
print(round(chi2, 4), round(p, 4), dof, expected.round(2).tolist())
slope, intercept, r, p, stderr = stats.linregress(control, control * 2 + 1)
print(round(slope, 6), round(intercept, 6), round(r, 6))
print(stats.norm.ppf([0.025, 0.975]).round(4), stats.zscore([1, 2, 3]).round(3), stats.pearsonr([1, 2, 3], [1, 2, 4])[0].round(4))
