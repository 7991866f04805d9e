# aim: write lines of the metrics
# mechanism: methods and addresses with quotes and line ends, which would be labels
# server: log
# plain: naive

def attack():
    for path in ("/%22%7d%201%0aforged_total%201", '/"} 1\\nforged_total 1'):
        for method in ("GET", "FORGED"):
            request(method, quote(path, safe="/%"), key=mine.key)
    counted = ask("GET", "/metrics").body
    return (b"\nforged_total" in counted or b"FORGED" in counted) and "a metric was forged"


judge(attack)
