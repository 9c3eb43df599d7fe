"""Sends events with a client as it comes from PyPI, through a proxy with faults.

usage: send.py segment|rudder URL KEY COUNT
"""

import random
import sys
import threading
import time
import urllib.parse
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KIND, URL, KEY, COUNT = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
RANDOM = random.Random(20261130)
FAULTS = {"500": 0, "429": 0, "lost": 0, "passed": 0}


class Proxy(BaseHTTPRequestHandler):
    """Passes requests on, or does not: 500 and 429 before the server has them, a lost answer after."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        fate = RANDOM.random()
        if fate < 0.15:
            return self.answer(500, b'{"code":"internal","message":"a fault"}', "500")
        if fate < 0.3:
            return self.answer(429, b'{"code":"slow","message":"later"}', "429", {"Retry-After": "0"})
        target = urllib.parse.urlsplit(URL)
        connection = HTTPConnection(target.hostname, target.port, timeout=30)
        headers = {name: value for name, value in self.headers.items() if name.lower() != "host"}
        connection.request("POST", self.path, body, headers)
        response = connection.getresponse()
        text = response.read()
        connection.close()
        if fate < 0.4:
            FAULTS["lost"] += 1
            self.close_connection = True
            return None
        self.answer(response.status, text, "passed")

    def answer(self, status, body, kind, headers=None):
        FAULTS[kind] += 1
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass


def make_client(port):
    errors = []
    options = dict(
        host=f"http://127.0.0.1:{port}",
        on_error=lambda error, items: errors.append((error, len(items))),
        gzip=True,
        max_retries=20,
        max_queue_size=COUNT + 100,
    )
    if KIND == "segment":
        from segment.analytics.client import Client
    else:
        from rudderstack.analytics.client import Client
    return Client(KEY, **options), errors


def main():
    # What waits between tries is as long as the client makes it, but the test has not that long.
    sleep = time.sleep
    time.sleep = lambda seconds: sleep(min(seconds, 0.05))
    proxy = Server(("127.0.0.1", 0), Proxy)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    client, errors = make_client(proxy.server_address[1])
    names = ["Received", "Tapped", "Expanded", "Dismissed", "Replied"]
    for number in range(COUNT):
        properties = {"notificationId": f"n-{number}", "category": "news"}
        if number % 5 == 0:
            properties["attachments"] = [{"kind": "image"}]
        client.track(
            f"user-{number % 50}",
            f"Push Notification {names[number % 5]}",
            properties,
            context={"device": {"id": f"d-{number % 200}"}, "app": {"version": "7.1"}},
        )
        if number % 100 == 0:
            client.identify(f"user-{number % 50}", {"plan": "free"})
    client.flush()
    client.join()
    if errors:
        sys.exit(f"{KIND}: the client gave up: {errors[:3]}")
    if min(FAULTS.values()) == 0:
        sys.exit(f"{KIND}: the proxy had not every fault: {FAULTS}")
    print(f"{KIND}: {COUNT} events sent; {FAULTS}")


main()
