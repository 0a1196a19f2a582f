#ifndef CAUTHORITIES_H
#define CAUTHORITIES_H

// Nothing to call: URLSession trusts the certificates in the file of SSL_CERT_FILE. See authorities.c.

#endif
