#include "CMicroHTTPD.h"

#include <errno.h>
#include <fcntl.h>
#include <gnutls/gnutls.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

// MARK: the daemon

static void log_line(void *target, const char *format, va_list arguments) {
  const struct cmhd_callbacks *callbacks = target;
  char line[512];
  vsnprintf(line, sizeof line, format, arguments);
  size_t length = strlen(line);
  while (length > 0 && line[length - 1] == '\n') line[--length] = '\0';
  callbacks->log(callbacks->context, line);
}

// Paths and queries are decoded by the caller, from the target as it came.
static size_t leave_escaped(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

struct MHD_Daemon *cmhd_start(const struct cmhd_settings *settings, const struct cmhd_callbacks *callbacks) {
  unsigned int flags = MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG | MHD_USE_INTERNAL_POLLING_THREAD;
#ifdef __linux__
  flags |= MHD_USE_EPOLL;
#else
  flags |= MHD_USE_AUTO;
#endif
  if (settings->certificate) flags |= MHD_USE_TLS;

  struct MHD_OptionItem tls[] = {
    {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)settings->certificate},
    {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)settings->key},
    {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
    {MHD_OPTION_END, 0, NULL},
  };
  struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
  return MHD_start_daemon(
    flags, 0, callbacks->accept, callbacks->context, callbacks->handle, callbacks->context,
    MHD_OPTION_EXTERNAL_LOGGER, log_line, (void *)callbacks,
    MHD_OPTION_LISTEN_SOCKET, (MHD_socket)settings->listener,
    MHD_OPTION_THREAD_POOL_SIZE, settings->threads,
    MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit,
    MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_seconds,
    MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->memory,
    MHD_OPTION_NOTIFY_CONNECTION, callbacks->connection, callbacks->context,
    MHD_OPTION_URI_LOG_CALLBACK, callbacks->target, callbacks->context,
    MHD_OPTION_NOTIFY_COMPLETED, callbacks->completed, callbacks->context,
    MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, NULL,
#if MHD_VERSION >= 0x00097701
    MHD_OPTION_CLIENT_DISCIPLINE_LVL, 2,
#endif
    MHD_OPTION_ARRAY, settings->certificate ? tls : none,
    MHD_OPTION_END);
}

// MARK: the head of a request

struct field_list {
  struct cmhd_field *fields;
  int capacity;
  int count;
};

static enum MHD_Result add_field(
  void *context, enum MHD_ValueKind kind, const char *name, size_t name_length, const char *value,
  size_t value_length) {
  (void)kind;
  struct field_list *list = context;
  if (list->count == list->capacity) {
    list->count = -1;
    return MHD_NO;
  }
  list->fields[list->count++] = (struct cmhd_field){name, name_length, value, value_length};
  return MHD_YES;
}

int cmhd_fields(struct MHD_Connection *connection, struct cmhd_field *fields, int capacity) {
  struct field_list list = {fields, capacity, 0};
  MHD_get_connection_values_n(connection, MHD_HEADER_KIND, add_field, &list);
  return list.count;
}

// Steps over a line's end, which the parser has overwritten with NULs: two of them stand for CR LF.
static int step_over_line_end(const char **at, const char *end) {
  if (end - *at < 2 || (*at)[0] != '\0' || (*at)[1] != '\0') return 0;
  *at += 2;
  return 1;
}

int cmhd_head_is_plain(
  struct MHD_Connection *connection, const char *method, const char *target, size_t target_length,
  const char *version, const struct cmhd_field *fields, int count) {
#if MHD_VERSION >= 0x01000000
  return 1;
#endif
  const union MHD_ConnectionInfo *size =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  if (!size) return 0;
  const char *end = method + size->header_size;
  if (target != method + strlen(method) + 1) return 0;
  if (version != target + target_length + 1) return 0;
  const char *at = version + strlen(version);
  if (at > end || !step_over_line_end(&at, end)) return 0;
  for (int i = 0; i < count; i++) {
    if (fields[i].name != at) return 0;
    const char *colon = fields[i].name + fields[i].name_length;
    if (fields[i].value <= colon || fields[i].value > end) return 0;
    for (const char *blank = colon + 1; blank < fields[i].value; blank++) {
      if (*blank != ' ' && *blank != '\t') return 0;
    }
    at = fields[i].value + fields[i].value_length;
    if (!step_over_line_end(&at, end)) return 0;
  }
  return step_over_line_end(&at, end) && at == end;
}

int cmhd_has_head(struct MHD_Connection *connection) {
  return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE) != NULL;
}

uintptr_t cmhd_thread(void) { return (uintptr_t)pthread_self(); }

// MARK: connections

int cmhd_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

void *cmhd_connection_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

int cmhd_peer(struct MHD_Connection *connection, char *text, size_t size) {
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? cmhd_address_text(info->client_addr, text, size) : 0;
}

void cmhd_send_plain(int descriptor, const void *bytes, size_t length) {
  const char *at = bytes;
  while (length > 0) {
    ssize_t sent = send(descriptor, at, length, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;
    at += sent;
    length -= (size_t)sent;
  }
}

void cmhd_send(struct MHD_Connection *connection, const void *bytes, size_t length) {
  const union MHD_ConnectionInfo *tls =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
  if (tls) {
    gnutls_record_send((gnutls_session_t)tls->tls_session, bytes, length);
  } else {
    cmhd_send_plain(cmhd_descriptor(connection), bytes, length);
  }
}

void cmhd_stop_sending(int descriptor) { shutdown(descriptor, SHUT_WR); }

void cmhd_hang_up(int descriptor) { shutdown(descriptor, SHUT_RDWR); }

int cmhd_linger(int descriptor) {
  int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (copy >= 0) shutdown(copy, SHUT_WR);
  return copy;
}

int cmhd_drain(int descriptor) {
  char scratch[65536];
  // At most 16 MiB at a time, so that a fast sender cannot keep the caller.
  for (int i = 0; i < 256; i++) {
    ssize_t got = recv(descriptor, scratch, sizeof scratch, MSG_DONTWAIT);
    if (got > 0 || (got < 0 && errno == EINTR)) continue;
    return !(got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK));
  }
  return 0;
}

// MARK: responses and clocks

struct MHD_Response *cmhd_response(const void *bytes, size_t length) {
  return MHD_create_response_from_buffer(length, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

static int64_t microseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t cmhd_wall_clock(void) { return microseconds(CLOCK_REALTIME); }

int64_t cmhd_monotonic_clock(void) { return microseconds(CLOCK_MONOTONIC); }

void cmhd_ignore_sigpipe(void) { signal(SIGPIPE, SIG_IGN); }
