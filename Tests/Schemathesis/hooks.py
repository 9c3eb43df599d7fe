import schemathesis

# Lines of events go out as they are.
schemathesis.serializer.alias("application/x-ndjson", "text/plain")
