from sklearn.feature_extraction.text import TfidfVectorizer, CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
import joblib
m = make_pipeline(TfidfVectorizer(), MultinomialNB()).fit(["good film", "bad film", "great", "awful"], [1, 0, 1, 0])
joblib.dump(m, "m.joblib"); print(joblib.load("m.joblib").predict(["good great", "bad"]), CountVectorizer().fit(["a bb bb"]).vocabulary_)
mem = joblib.Memory("cache", verbose=0)
@mem.cache
def sq(x): print("computing"); return x * x
print(sq(3), sq(3))
