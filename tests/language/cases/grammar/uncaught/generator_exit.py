# Code may raise GeneratorExit outside a generator.
print("odd but allowed")
raise GeneratorExit
