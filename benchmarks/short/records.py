seed = 0
import json

rows = [{"id": i, "city": f"c{i % 17}", "sales": (i * 31 + seed) % 997} for i in range(1_500)]
rows = json.loads(json.dumps(rows))
by_city = {}
for row in rows:
    by_city.setdefault(row["city"], []).append(row["sales"])
means = {city: sum(sales) / len(sales) for city, sales in by_city.items()}
sorted(means.items(), key=lambda item: -item[1])[:3]
