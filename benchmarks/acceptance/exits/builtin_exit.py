answer = 6 * 7
print(answer)
if answer == 42:
    exit()
print("never")
