#include "CMicroHTTPD.h"

#include <gnutls/gnutls.h>
#include <stdlib.h>
#include <string.h>

struct cmhd_certificate {
  gnutls_certificate_credentials_t credentials;
};

static gnutls_datum_t datum(const char *text) {
  return (gnutls_datum_t){(unsigned char *)text, (unsigned int)strlen(text)};
}

struct cmhd_certificate *cmhd_certificate_load(
  const char *certificate, const char *key, const char **reason) {
  struct cmhd_certificate *loaded = malloc(sizeof *loaded);
  *reason = "out of memory";
  if (!loaded) return NULL;
  if (gnutls_certificate_allocate_credentials(&loaded->credentials) != GNUTLS_E_SUCCESS) {
    free(loaded);
    return NULL;
  }
  gnutls_datum_t chain = datum(certificate), secret = datum(key);
  int result = gnutls_certificate_set_x509_key_mem(
    loaded->credentials, &chain, &secret, GNUTLS_X509_FMT_PEM);
  if (result >= 0) return loaded;
  *reason = gnutls_strerror(result);
  cmhd_certificate_free(loaded);
  return NULL;
}

void cmhd_certificate_free(struct cmhd_certificate *certificate) {
  gnutls_certificate_free_credentials(certificate->credentials);
  free(certificate);
}

void cmhd_certificate_present(struct cmhd_certificate *certificate, struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *tls =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
  if (!tls) return;
  gnutls_credentials_set(
    (gnutls_session_t)tls->tls_session, GNUTLS_CRD_CERTIFICATE, certificate->credentials);
}
