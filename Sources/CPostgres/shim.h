#include <libpq-fe.h>
#include <poll.h>
#include <string.h>
