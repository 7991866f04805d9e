# needs: gensim
from gensim.models import Word2Vec
m = Word2Vec([["a", "b"], ["b", "c"]] * 5, vector_size=5, min_count=1, workers=1, seed=1); print(len(m.wv), m.wv["a"].shape)
m = Word2Vec([["a", "b"], ["b", "c"]] * 5, vector_size=5, min_count=1, workers=3); print(len(m.wv)); m.save("w.m"); print(len(Word2Vec.load("w.m").wv))
