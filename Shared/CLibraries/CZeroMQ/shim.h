// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors
#pragma once

#include <sys/eventfd.h>
#include <zmq.h>
