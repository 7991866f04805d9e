import numpy as np


class Perceptron:
    def __init__(self, rate=0.1, epochs=20):
        self.rate, self.epochs = rate, epochs

    def fit(self, x, y):
        self.weights = np.zeros(x.shape[1] + 1)
        self.errors = []
        for _ in range(self.epochs):
            wrong = 0
            for row, target in zip(x, y):
                update = self.rate * (target - self.predict(row))
                self.weights[1:] += update * row
                self.weights[0] += update
                wrong += update != 0
            self.errors.append(int(wrong))
        return self

    def predict(self, x):
        return np.where(np.dot(x, self.weights[1:]) + self.weights[0] >= 0, 1, -1)


rng = np.random.default_rng(1)
x = np.vstack([rng.normal(-2, 1, (50, 2)), rng.normal(2, 1, (50, 2))])
y = np.array([-1] * 50 + [1] * 50)
model = Perceptron().fit(x, y)
print(model.errors[0] > 0, model.errors[-1], (model.predict(x) == y).mean())
