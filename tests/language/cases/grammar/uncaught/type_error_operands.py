# Adding a number to text.
age = 30
"age: " + age
