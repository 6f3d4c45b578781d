// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors
#pragma once

#include <microhttpd.h>
#include <sys/socket.h>

// MHD_start_daemon and MHD_get_daemon_info are variadic: Swift cannot call them.

static inline struct MHD_Daemon *tidings_mhd_start(
    int ipv6,
    const struct sockaddr *address,
    MHD_AccessHandlerCallback handler,
    void *handler_context,
    MHD_RequestCompletedCallback completed,
    void *completed_context,
    unsigned int connection_limit,
    unsigned int idle_seconds,
    size_t header_memory
) {
    unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | (ipv6 ? MHD_USE_IPv6 : 0);
    return MHD_start_daemon(
        flags, 0, NULL, NULL, handler, handler_context,
        MHD_OPTION_SOCK_ADDR, address,
        MHD_OPTION_NOTIFY_COMPLETED, completed, completed_context,
        MHD_OPTION_CONNECTION_LIMIT, connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, header_memory,
        MHD_OPTION_LISTEN_BACKLOG_SIZE, (unsigned int) 1024,
        MHD_OPTION_END
    );
}

static inline unsigned int tidings_mhd_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info == NULL ? 0 : info->port;
}
