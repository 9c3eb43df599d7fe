// What Swift needs of libmicrohttpd and cannot say itself: variadic calls, sockets without a platform's own spelling, and a
// look at the bytes of a request's head.

#ifndef CMICROHTTPD_H
#define CMICROHTTPD_H

#include <microhttpd.h>
#include <stdint.h>

/// Milestones of a daemon. `context` is handed to each of them; they are called on the daemon's threads.
struct cmhd_callbacks {
  void *context;
  /// A client connects: MHD_NO turns it away.
  MHD_AcceptPolicyCallback accept;
  /// A connection began or ended.
  MHD_NotifyConnectionCallback connection;
  /// A request line arrived; what is returned becomes the request's pointer in the next two.
  void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
  MHD_AccessHandlerCallback handle;
  MHD_RequestCompletedCallback completed;
  /// A line of the library's own log.
  void (*log)(void *context, const char *line);
};

struct cmhd_settings {
  int listener;
  unsigned int threads;
  unsigned int connection_limit;
  unsigned int idle_seconds;
  /// Bytes for a connection's head and read buffer.
  size_t memory;
  /// PEM, or both NULL for plain HTTP.
  const char *certificate;
  const char *key;
};

/// Starts a daemon, or returns NULL after a line in the log.
struct MHD_Daemon *cmhd_start(const struct cmhd_settings *settings, const struct cmhd_callbacks *callbacks);

/// A listening socket on a numeric address, or -1 with `*error` an errno (EINVAL: the address is none).
/// `*port` 0 takes any free port; it is set to the one taken.
int cmhd_listen(const char *host, uint16_t *port, int backlog, int *error);

/// Takes a socket that somebody else opened. Returns 0 unless it is of TCP and listens; else `host`, of at least 46 bytes, gets its
/// numeric address and `*port` its port.
int cmhd_adopt(int descriptor, char *host, size_t size, uint16_t *port);

void cmhd_close(int descriptor);

// MARK: the head of a request

struct cmhd_field {
  const char *name;
  size_t name_length;
  const char *value;
  size_t value_length;
};

/// The header fields of a request in their order, valid within the callback only.
/// Returns their number, or -1 when there are more than `capacity`.
int cmhd_fields(struct MHD_Connection *connection, struct cmhd_field *fields, int capacity);

/// Whether the head, from the method to the blank line, is nothing but lines that end in CR LF: no folded line, no lone LF, no
/// NUL, one blank between the parts of the request line.
///
/// libmicrohttpd before 1.0 mends all of these silently, and a proxy in front may read them otherwise. It parses in place, so
/// that what it skipped shows as a gap between the parts. From 1.0 on it is told to refuse them itself.
int cmhd_head_is_plain(
  struct MHD_Connection *connection, const char *method, const char *target, size_t target_length,
  const char *version, const struct cmhd_field *fields, int count);

/// Whether a whole head has been read and the answer is not over: only while the library works on the connection, before it
/// has called `handle` for it, does that hold without `handle` having been called.
int cmhd_has_head(struct MHD_Connection *connection);

/// What tells the calling thread from the others.
uintptr_t cmhd_thread(void);

// MARK: connections

/// Whether a connection begins, as the `connection` callback is told; else it ends. (The constant's name does not come through to Swift.)
static inline int cmhd_begins(enum MHD_ConnectionNotificationCode code) {
  return code == MHD_CONNECTION_NOTIFY_STARTED;
}

int cmhd_descriptor(struct MHD_Connection *connection);

/// What the `connection` callback left for this connection.
void *cmhd_connection_context(struct MHD_Connection *connection);

/// The numeric address of a peer, IPv4 in IPv6 written as IPv4; `text` holds at least 46 bytes. Returns 0 when there is none.
int cmhd_peer(struct MHD_Connection *connection, char *text, size_t size);

/// As `cmhd_peer`, for an address as the accept callback gets it.
int cmhd_address_text(const struct sockaddr *address, char *text, size_t size);

/// Reads a numeric address into 16 bytes, IPv4 as `::ffff:a.b.c.d`. Returns 0 when it is none.
int cmhd_address_bytes(const char *text, uint8_t *bytes);

/// Sends bytes past the library, where it would not take a response: only while it has nothing of its own to send.
void cmhd_send(struct MHD_Connection *connection, const void *bytes, size_t length);

/// As `cmhd_send`, on a plain socket.
void cmhd_send_plain(int descriptor, const void *bytes, size_t length);

/// Tells the peer that nothing more is coming; it may still send.
void cmhd_stop_sending(int descriptor);

/// Ends the conversation both ways: the library sees an error and closes. The descriptor stays open until then.
void cmhd_hang_up(int descriptor);

/// A second handle on a socket whose sending side is closed, so that what the peer still sends can be drained: closing a socket with
/// unread input resets it, and the reset may overtake the answer. -1 when there is none.
int cmhd_linger(int descriptor);

/// Reads and forgets what has arrived. Returns 1 once the peer is done, else 0.
int cmhd_drain(int descriptor);

// MARK: TLS

struct cmhd_certificate;

/// Reads a certificate chain and its key from PEM, and checks that they belong together. NULL with `*reason` a static text if not.
struct cmhd_certificate *cmhd_certificate_load(
  const char *certificate, const char *key, const char **reason);

void cmhd_certificate_free(struct cmhd_certificate *certificate);

/// Makes a connection that begins present this certificate, which must outlive it.
void cmhd_certificate_present(struct cmhd_certificate *certificate, struct MHD_Connection *connection);

// MARK: responses and clocks

/// A response that copies `length` bytes. NULL when memory is short.
struct MHD_Response *cmhd_response(const void *bytes, size_t length);

/// Microseconds since 1970, and since some fixed moment.
int64_t cmhd_wall_clock(void);
int64_t cmhd_monotonic_clock(void);

/// Leaves SIGPIPE ignored, for the whole process.
void cmhd_ignore_sigpipe(void);

#endif
