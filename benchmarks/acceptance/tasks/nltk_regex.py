# needs: nltk
import re, string
from collections import Counter
from nltk.tokenize import RegexpTokenizer, TreebankWordTokenizer
from nltk.stem import PorterStemmer
from nltk import ngrams, FreqDist
t = "The quick brown foxes jumped over 13 lazy dogs; the dogs didn't care."
w = RegexpTokenizer(r"\w+").tokenize(t.lower())
print(w, [PorterStemmer().stem(x) for x in w]); print(FreqDist(w).most_common(2)); print(list(ngrams(w, 2))[:2]); print(TreebankWordTokenizer().tokenize(t))
try:
    from nltk.corpus import stopwords
    stopwords.words("english")
except LookupError as e: print("LookupError")
