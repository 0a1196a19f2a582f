#ifndef PUSHPIPE_COMMON_CRYPTO_H
#define PUSHPIPE_COMMON_CRYPTO_H

#include <CommonCrypto/CommonCryptor.h>
#include <CommonCrypto/CommonDigest.h>
#include <CommonCrypto/CommonHMAC.h>
#include <CommonCrypto/CommonKeyDerivation.h>
#include <CommonCrypto/CommonRandom.h>

#endif
