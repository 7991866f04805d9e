# A walrus may not rebind the loop variable of a comprehension.
[x := 0 for x in range(3)]
