# The front door: `make demo` shows the whole way once, `make test` proves it. Both install what is missing.

SHELL := /bin/bash
PACKAGES := postgresql libpq-dev libmicrohttpd-dev libsimdjson-dev libboost-math-dev libsodium-dev zlib1g-dev pkg-config openssl curl
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

.PHONY: demo test schemathesis clients fuzz soak readme sanitize format packages

demo: packages
	swift build -c release --product pushlift
	.build/release/pushlift demo

# One test at a time: many of them wait for a server on a thread of a pool that has only two.
# Pages are looked at in a real browser, and files read with Python.
test: PACKAGES += chromium fonts-dejavu-core python3
test: packages
	swift build --build-tests -Xswiftc -warnings-as-errors
	@set -o pipefail; swift test --skip-build --no-parallel -Xswiftc -warnings-as-errors 2>&1 | tee .build/tests.log || \
	  { echo "what failed:" >&2; grep '✘' .build/tests.log >&2; exit 1; }

# Requests made from the server's own description, against the server.
schemathesis: PACKAGES += python3-venv
schemathesis: packages
	swift build --product pushlift -Xswiftc -warnings-as-errors
	Tests/Schemathesis/run

# Segment's and RudderStack's own clients, against the server, over a proxy with faults.
clients: PACKAGES += python3-venv
clients: packages
	swift build --product pushlift -Xswiftc -warnings-as-errors
	Tests/Clients/run

# Broken bodies for the decoder, for a minute.
fuzz: packages
	swift run -c release pushlift-bench fuzz --seconds 60

# Everything at once for a minute, with restarts, and then the proof that nothing was lost.
soak: packages
	swift build -c release
	.build/release/pushlift-bench soak --seconds 60

# The README's commands as printed, top to bottom.
readme: PACKAGES += python3
readme: packages
	swift build -c release --product pushlift
	Tests/Readme/run .build/release

# The parts in C, and what stands on them, under each sanitizer: once a day, since each is a build of its own.
# XCTest, in which there is nothing, leaks; CrashTests wants more done in a time than is done then.
SANITIZED := --no-parallel --disable-xctest --filter '^(HTTPServer|Ingestion|Postgres|EventStore)Tests' --skip CrashTests
sanitize: packages
	swift test $(SANITIZED) --sanitize=address --scratch-path .build/address
	swift build --build-tests --sanitize=thread --scratch-path .build/thread
	clang -shared -fPIC -O1 -o .build/thread/mutex.so Tests/Sanitize/mutex.c
	LD_PRELOAD=$(CURDIR)/.build/thread/mutex.so TSAN_OPTIONS=exitcode=66 \
	  swift test --skip-build $(SANITIZED) --sanitize=thread --scratch-path .build/thread

# What the rules in .swift-format ask for; changes files.
format:
	swift format --in-place --recursive Package.swift Sources Tests Schema Dashboards

# Debian only: elsewhere the packages are the reader's business.
packages:
	@command -v dpkg-query >/dev/null || exit 0; \
	missing=$$(for name in $(PACKAGES); do \
	  dpkg-query -W -f '$${db:Status-Status}' $$name 2>/dev/null | grep -qx installed || echo $$name; done); \
	[ -z "$$missing" ] || { echo "installing $$missing" >&2; \
	  $(SUDO) apt-get update -q >/dev/null && \
	  $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $$missing >/dev/null; }
