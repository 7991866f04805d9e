import numpy as np
from scipy import linalg

a = np.array([[4.0, 2.0, 0.6], [2.0, 3.0, 0.4], [0.6, 0.4, 2.0]])
p, l, u = linalg.lu(a)
print(np.allclose(p @ l @ u, a), u.diagonal().round(4))
print(linalg.cholesky(a, lower=True).round(4))
print(linalg.solve(a, [1, 2, 3]).round(4), round(linalg.det(a), 4))
q, r = linalg.qr(a)
print(np.allclose(q.T @ q, np.eye(3)), linalg.norm(a).round(4))
print(linalg.eigvalsh(a).round(4), linalg.expm(np.zeros((2, 2))))
try:
    linalg.cholesky(-a)
except linalg.LinAlgError as error:
    print(error)
