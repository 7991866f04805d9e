# needs: sklearn
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier

points, truth = make_blobs(n_samples=90, centers=3, cluster_std=0.5, random_state=3)
found = KMeans(3, n_init=5, random_state=0).fit(points)
print(sorted(np.bincount(found.labels_).tolist()), found.cluster_centers_.shape)
forest = RandomForestClassifier(20, random_state=0, n_jobs=2).fit(points, truth)
print(forest.score(points, truth), forest.predict(points[:3]).tolist() == truth[:3].tolist())
print(PCA(1).fit_transform(points).shape)
