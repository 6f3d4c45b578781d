// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

extension ConfigurationDecoder {
    mutating func decodeGateway(_ node: YAMLNode, into gateway: inout TidingsConfiguration.Gateway) {
        let keys = nodes.mapping(
            node,
            "gateway",
            known: [
                "listen", "openReads", "hosts", "basePath", "tokens", "allowedOrigins", "trustedProxies",
                "requestsPerMinute", "maximumConnections", "connectionsPerClient", "streamLifetime", "heartbeat",
                "accessLog", "linkSchemes", "addWidgets", "frameAncestors", "boardPictureMegabytes",
            ],
            foreign: .gateway
        )
        if let listen = keys["listen"], let text = nodes.text(listen.value, "listen"),
            let problem = gateway.take(address: text)
        {
            nodes.fail(listen.value.mark, problem)
        }
        if let flag = keys["openReads"] { gateway.openReads = nodes.flag(flag.value, flag.key) ?? gateway.openReads }
        flag(keys["addWidgets"], &gateway.addWidgets)
        let hosts = texts(keys["hosts"], TidingsConfiguration.Gateway.problem(host:))
        gateway.hosts = hosts?.compactMap(TidingsConfiguration.Gateway.hostName) ?? gateway.hosts
        let basePath = checked(keys["basePath"], TidingsConfiguration.Gateway.problem(basePath:))
        gateway.basePath = basePath ?? gateway.basePath
        gateway.tokens = path(keys["tokens"]) ?? gateway.tokens
        let origins = texts(keys["allowedOrigins"], TidingsConfiguration.Gateway.problem(allowedOrigin:))
        gateway.allowedOrigins = origins ?? gateway.allowedOrigins
        let proxies = texts(keys["trustedProxies"], TidingsConfiguration.Gateway.problem(trustedProxy:))
        gateway.trustedProxies = proxies ?? gateway.trustedProxies
        flag(keys["accessLog"], &gateway.accessLog)
        gateway.linkSchemes += texts(keys["linkSchemes"], TidingsConfiguration.Gateway.problem(linkScheme:)) ?? []
        if let ancestors = keys["frameAncestors"] {
            for item in nodes.items(ancestors.value, "frameAncestors") ?? [] {
                guard let text = nodes.text(item, "an entry of frameAncestors") else { continue }
                do throws(FrameAncestor.Problem) {
                    gateway.frameAncestors.append(try FrameAncestor(text))
                } catch {
                    nodes.fail(item.mark, error.message)
                }
            }
        }
        integer(keys["requestsPerMinute"], in: ConfigurationLimits.requestsPerMinute, &gateway.requestsPerMinute)
        integer(keys["maximumConnections"], in: ConfigurationLimits.connections, &gateway.maximumConnections)
        integer(
            keys["connectionsPerClient"],
            in: ConfigurationLimits.connectionsPerClient,
            &gateway.connectionsPerClient
        )
        integer(
            keys["boardPictureMegabytes"],
            in: ConfigurationLimits.boardPictureMebibytes,
            &gateway.boardPictureMebibytes
        )
        duration(keys["streamLifetime"], in: ConfigurationLimits.streamLifetime, &gateway.streamLifetime)
        duration(keys["heartbeat"], in: ConfigurationLimits.heartbeat, &gateway.heartbeat)
    }

    /// Returns the valid entries of a list; `problem` returns the error of an invalid one.
    private mutating func texts(_ entry: YAMLNode.Entry?, _ problem: (String) -> String?) -> [String]? {
        guard let entry else { return nil }
        var texts: [String] = []
        for item in nodes.items(entry.value, entry.key) ?? [] {
            guard let text = nodes.text(item, "an entry of \(entry.key)") else { continue }
            if let problem = problem(text) { nodes.fail(item.mark, problem) } else { texts.append(text) }
        }
        return texts
    }
}
