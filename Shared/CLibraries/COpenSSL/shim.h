// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors
#pragma once

// The functions of SHA-256 and of elliptic curves themselves. Their successors (EVP) read a configuration file, load
// providers and look the algorithm up: two megabytes for each process, and more time than a short message takes. AES and
// the reader of PEM files have no other form; only the service `delivery` uses them.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/pem.h>
#include <openssl/sha.h>

// Without a callback, libcrypto asks for the passphrase of an encrypted key at the terminal.
static inline int tidings_no_passphrase(char *buffer, int size, int writing, void *context) {
    (void)buffer, (void)size, (void)writing, (void)context;
    return -1;
}

static inline EVP_PKEY *tidings_read_private_key(BIO *pem) {
    return PEM_read_bio_PrivateKey(pem, NULL, tidings_no_passphrase, NULL);
}
