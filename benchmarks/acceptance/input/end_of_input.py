name = input("Your name: ")
print("never", name)
