# A loop whose turns end in an if without a value gives None.
# value: None
attempts = 0
while True:
    attempts += 1
    print(attempts)
    if attempts == 3:
        break
