import math
import re
from collections import Counter, defaultdict


class NaiveBayes:
    def __init__(self, alpha=1.0):
        self.alpha, self.words, self.labels = alpha, defaultdict(Counter), Counter()

    def fit(self, samples):
        for text, label in samples:
            self.labels[label] += 1
            self.words[label].update(self.tokens(text))
        self.vocabulary = set().union(*self.words.values())
        return self

    @staticmethod
    def tokens(text):
        return re.findall(r"\w+", text.lower())

    def scores(self, text):
        for label, count in self.labels.items():
            total = sum(self.words[label].values()) + self.alpha * len(self.vocabulary)
            score = math.log(count / self.labels.total())
            for token in self.tokens(text):
                score += math.log((self.words[label][token] + self.alpha) / total)
            yield score, label

    def predict(self, text):
        return max(self.scores(text))[1]


model = NaiveBayes().fit(
    [("win money now", "spam"), ("cheap money offer", "spam"), ("meeting at noon", "ham"), ("lunch at noon?", "ham")]
)
for text in ("money offer", "lunch meeting", "win a lunch"):
    print(text, "->", model.predict(text), [f"{label} {score:.2f}" for score, label in sorted(model.scores(text))])
