# stdin: 3
# stdin: alpha 10
# stdin: beta 20
# stdin: gamma 5
import sys


def main():
    data = sys.stdin.read().split("\n")
    count = int(data[0])
    scores = {}
    for line in data[1 : count + 1]:
        name, score = line.split()
        scores[name] = int(score)
    best = max(scores, key=scores.get)
    print(best, scores[best], sum(scores.values()) / count)


main()
