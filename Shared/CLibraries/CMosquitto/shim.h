// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors
#pragma once

#include <mosquitto.h>
#include <sys/eventfd.h>
