// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors
#pragma once

// The functions of SHA-256 itself. Their successors (EVP) read a configuration file, load providers and look the algorithm
// up: two megabytes for each process, and more time than a short message takes.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/sha.h>
