# needs: sklearn
import pickle

import joblib
import numpy as np
from sklearn.linear_model import LinearRegression

x = np.arange(10).reshape(-1, 1)
model = LinearRegression().fit(x, 3 * x.ravel() + 2)
joblib.dump(model, "model.joblib")
with open("model.pkl", "wb") as file:
    pickle.dump(model, file)
print(joblib.load("model.joblib").coef_.round(3), pickle.load(open("model.pkl", "rb")).intercept_.round(3))
