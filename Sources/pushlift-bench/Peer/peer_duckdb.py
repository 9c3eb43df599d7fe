"""The same count by DuckDB: loads a CSV file of raw events into memory, then counts, as often as told."""
import statistics
import sys
import time

import duckdb

QUERY = """
select category, is_rich, bucket, count(*), count(*) filter (where interacted_at < delivered_at + 86400),
  count(distinct device_key)
from (
  select unit_id, device_key, hash(device_key) % 128 as bucket, min(category) as category,
    bool_or(intended <> 0) as is_rich, min(happened) filter (where type = 0) as delivered_at,
    min(happened) filter (where type <> 0) as interacted_at
  from event group by unit_id, device_key
) unit
where delivered_at is not null
group by category, is_rich, bucket
"""

path, rounds = sys.argv[1], int(sys.argv[2])
connection = duckdb.connect()
start = time.perf_counter()
connection.execute(
    "create table event as select * from read_csv(?, header = false, columns = {'unit_id': 'uuid', 'device_key': 'uuid',"
    " 'category': 'varchar', 'type': 'tinyint', 'intended': 'tinyint', 'happened': 'double'})",
    [path],
)
loaded = time.perf_counter() - start
times = []
for _ in range(rounds):
    start = time.perf_counter()
    connection.execute(QUERY).fetchall()
    times.append(time.perf_counter() - start)
print(f"DuckDB {duckdb.__version__}: {statistics.median(times) * 1000:.0f} ms, after {loaded:.1f} s of loading")
