"""Holds an export against what was sent: each event once.

usage: check.py NAME EXPORT COUNT
"""

import json
import sys
from collections import Counter

name, path, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with open(path, encoding="utf-8") as file:
    events = [json.loads(line) for line in file]
stored = Counter(event["notificationId"] for event in events)
missing = [number for number in range(count) if stored[f"n-{number}"] == 0]
doubled = [key for key, times in stored.items() if times > 1]
if missing or doubled or len(events) != count:
    sys.exit(f"{name}: {len(events)} stored; missing {missing[:5]}, stored twice {doubled[:5]}")
types = Counter(event["type"] for event in events)
if types != {"delivered": count // 5, "expanded": count // 5, "action": 3 * count // 5}:
    sys.exit(f"{name}: stored as {types}")
print(f"{name}: {count} events, each stored once")
