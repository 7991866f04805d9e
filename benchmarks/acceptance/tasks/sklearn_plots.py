import matplotlib.pyplot as plt, numpy as np
from sklearn.datasets import load_iris, load_digits, make_blobs
from sklearn.decomposition import PCA
from sklearn.cluster import KMeans, DBSCAN
from sklearn.metrics import confusion_matrix, ConfusionMatrixDisplay, classification_report
from sklearn.tree import DecisionTreeClassifier, plot_tree
X, y = load_iris(return_X_y=True)
p = PCA(2).fit_transform(X); fig, ax = plt.subplots(); sc = ax.scatter(p[:, 0], p[:, 1], c=y); ax.set_title("PCA")
print(type(ax).__name__, ax.get_title(), sc.get_offsets().shape)
m = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
print(classification_report(y, m.predict(X))); ConfusionMatrixDisplay(confusion_matrix(y, m.predict(X))).plot(); print(len(plot_tree(m)))
print(np.bincount(KMeans(3, n_init=10, random_state=0).fit_predict(X)))
plt.savefig("t.pdf"); plt.savefig("t.svg"); plt.close("all")
import os; print(os.path.exists("t.svg"), os.path.getsize("t.pdf") > 1000)
