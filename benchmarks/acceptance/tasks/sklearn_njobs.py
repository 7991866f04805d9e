import numpy as np
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import cross_val_score, GridSearchCV
from sklearn.datasets import make_regression
X, y = make_regression(200, 5, random_state=0)
print(cross_val_score(RandomForestRegressor(10, random_state=0, n_jobs=-1), X, y, cv=3, n_jobs=2).round(4))
print(GridSearchCV(RandomForestRegressor(random_state=0), {"n_estimators": [5, 10]}, n_jobs=-1, cv=3).fit(X, y).best_params_)
