# needs: sklearn
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, confusion_matrix
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

rng = np.random.default_rng(0)
features = rng.normal(size=(200, 4))
labels = (features[:, 0] + 2 * features[:, 1] > 0).astype(int)
train_x, test_x, train_y, test_y = train_test_split(features, labels, random_state=1)
model = make_pipeline(StandardScaler(), LogisticRegression()).fit(train_x, train_y)
predicted = model.predict(test_x)
print(round(accuracy_score(test_y, predicted), 2), confusion_matrix(test_y, predicted).sum())
print((cross_val_score(model, features, labels, cv=5) > 0.9).all())
