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
        if let hosts = keys["hosts"] {
            gateway.hosts = texts(hosts.value, "hosts") { TidingsConfiguration.Gateway.problem(host: $0) }
                .compactMap(TidingsConfiguration.Gateway.hostName)
        }
        if let path = keys["basePath"], let text = nodes.text(path.value, "basePath") {
            if let problem = TidingsConfiguration.Gateway.problem(basePath: text) {
                nodes.fail(path.value.mark, problem)
            } else {
                gateway.basePath = text
            }
        }
        if let tokens = keys["tokens"], let text = nodes.text(tokens.value, "tokens") { gateway.tokens = path(text) }
        if let origins = keys["allowedOrigins"] {
            gateway.allowedOrigins = texts(origins.value, "allowedOrigins") {
                TidingsConfiguration.Gateway.problem(allowedOrigin: $0)
            }
        }
        if let proxies = keys["trustedProxies"] {
            gateway.trustedProxies = texts(proxies.value, "trustedProxies") {
                TidingsConfiguration.Gateway.problem(trustedProxy: $0)
            }
        }
        flag(keys["accessLog"], &gateway.accessLog)
        if let schemes = keys["linkSchemes"] {
            gateway.linkSchemes += texts(schemes.value, "linkSchemes") {
                TidingsConfiguration.Gateway.problem(linkScheme: $0)
            }
        }
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
            in: ConfigurationLimits.boardPictureMegabytes,
            &gateway.boardPictureMegabytes
        )
        duration(keys["streamLifetime"], in: ConfigurationLimits.streamLifetime, &gateway.streamLifetime)
        duration(keys["heartbeat"], in: ConfigurationLimits.heartbeat, &gateway.heartbeat)
    }

    /// Returns the valid entries of a list; `problem` returns the error of an invalid one.
    private mutating func texts(_ node: YAMLNode, _ what: String, problem: (String) -> String?) -> [String] {
        var texts: [String] = []
        for item in nodes.items(node, what) ?? [] {
            guard let text = nodes.text(item, "an entry of \(what)") else { continue }
            if let problem = problem(text) { nodes.fail(item.mark, problem) } else { texts.append(text) }
        }
        return texts
    }
}
