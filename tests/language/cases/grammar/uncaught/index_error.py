# Indexing past the end of a list.
[1, 2, 3][len("long text")]
