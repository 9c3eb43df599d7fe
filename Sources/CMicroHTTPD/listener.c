#include "CMicroHTTPD.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// MARK: addresses

int cmhd_address_text(const struct sockaddr *address, char *text, size_t size) {
  if (!address) return 0;
  if (address->sa_family == AF_INET) {
    return inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr, text, size) != NULL;
  }
  if (address->sa_family != AF_INET6) return 0;
  const struct in6_addr *six = &((const struct sockaddr_in6 *)address)->sin6_addr;
  if (IN6_IS_ADDR_V4MAPPED(six)) return inet_ntop(AF_INET, six->s6_addr + 12, text, size) != NULL;
  return inet_ntop(AF_INET6, six, text, size) != NULL;
}

int cmhd_address_bytes(const char *text, uint8_t *bytes) {
  static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (inet_pton(AF_INET, text, bytes + 12) == 1) {
    memcpy(bytes, mapped, sizeof mapped);
    return 1;
  }
  return inet_pton(AF_INET6, text, bytes) == 1;
}

// MARK: listening

static socklen_t read_address(const char *host, uint16_t port, struct sockaddr_storage *address) {
  memset(address, 0, sizeof *address);
  struct sockaddr_in *four = (struct sockaddr_in *)address;
  struct sockaddr_in6 *six = (struct sockaddr_in6 *)address;
  if (inet_pton(AF_INET, host, &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons(port);
    return sizeof *four;
  }
  if (inet_pton(AF_INET6, host, &six->sin6_addr) == 1) {
    six->sin6_family = AF_INET6;
    six->sin6_port = htons(port);
    return sizeof *six;
  }
  return 0;
}

static uint16_t port_of(const struct sockaddr_storage *address) {
  return ntohs(
    address->ss_family == AF_INET ? ((const struct sockaddr_in *)address)->sin_port
                                  : ((const struct sockaddr_in6 *)address)->sin6_port);
}

static void prepare_listener(int listener) {
  fcntl(listener, F_SETFD, FD_CLOEXEC);
  fcntl(listener, F_SETFL, O_NONBLOCK);
}

int cmhd_listen(const char *host, uint16_t *port, int backlog, int *error) {
  struct sockaddr_storage address;
  socklen_t length = read_address(host, *port, &address);
  if (length == 0) {
    *error = EINVAL;
    return -1;
  }
  int listener = socket(address.ss_family, SOCK_STREAM, 0);
  int yes = 1;
  if (listener < 0) goto failed;
  prepare_listener(listener);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(listener, (struct sockaddr *)&address, length) != 0) goto failed;
  if (listen(listener, backlog) != 0) goto failed;
  if (getsockname(listener, (struct sockaddr *)&address, &length) != 0) goto failed;
  *port = port_of(&address);
  return listener;
failed:
  *error = errno;
  if (listener >= 0) close(listener);
  return -1;
}

int cmhd_adopt(int descriptor, char *host, size_t size, uint16_t *port) {
  int kind = 0, listens = 0;
  socklen_t kind_size = sizeof kind, listens_size = sizeof listens;
  if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &kind_size) != 0 || kind != SOCK_STREAM) return 0;
  if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &listens_size) != 0 || !listens) return 0;
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  if (getsockname(descriptor, (struct sockaddr *)&address, &length) != 0) return 0;
  if (!cmhd_address_text((struct sockaddr *)&address, host, size)) return 0;
  prepare_listener(descriptor);
  *port = port_of(&address);
  return 1;
}

void cmhd_close(int descriptor) { close(descriptor); }
