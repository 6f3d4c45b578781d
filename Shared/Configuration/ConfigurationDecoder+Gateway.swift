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
                "accessLog", "linkSchemes", "addWidgets", "frameAncestors",
            ],
            foreign: .gateway
        )
        if let listen = keys["listen"], let text = nodes.text(listen.value, "listen"),
            let problem = gateway.take(address: text)
        {
            nodes.fail(listen.value.mark, problem)
        }
        if let flag = keys["openReads"] { gateway.openReads = nodes.flag(flag.value, flag.key) ?? gateway.openReads }
        if let flag = keys["addWidgets"] {
            gateway.addWidgets = nodes.flag(flag.value, flag.key) ?? gateway.addWidgets
        }
        if let hosts = keys["hosts"] { gateway.hosts = texts(hosts.value, "hosts") }
        if let path = keys["basePath"], let text = nodes.text(path.value, "basePath") {
            if let problem = TidingsConfiguration.Gateway.problem(basePath: text) {
                nodes.fail(path.value.mark, problem)
            } else {
                gateway.basePath = text
            }
        }
        if let tokens = keys["tokens"], let text = nodes.text(tokens.value, "tokens") { gateway.tokens = path(text) }
        if let origins = keys["allowedOrigins"] { gateway.allowedOrigins = texts(origins.value, "allowedOrigins") }
        if let proxies = keys["trustedProxies"] { gateway.trustedProxies = texts(proxies.value, "trustedProxies") }
        if let flag = keys["accessLog"] { gateway.accessLog = nodes.flag(flag.value, flag.key) ?? gateway.accessLog }
        if let schemes = keys["linkSchemes"] {
            for item in nodes.items(schemes.value, "linkSchemes") ?? [] {
                guard let text = nodes.text(item, "an entry of linkSchemes") else { continue }
                if let problem = TidingsConfiguration.Gateway.problem(linkScheme: text) {
                    nodes.fail(item.mark, problem)
                } else {
                    gateway.linkSchemes.append(text)
                }
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
        if let entry = keys["streamLifetime"] {
            gateway.streamLifetime =
                nodes.duration(entry.value, entry.key, in: ConfigurationLimits.streamLifetime) ?? gateway.streamLifetime
        }
        if let entry = keys["heartbeat"] {
            gateway.heartbeat =
                nodes.duration(entry.value, entry.key, in: ConfigurationLimits.heartbeat) ?? gateway.heartbeat
        }
    }

    private mutating func integer(_ entry: YAMLNode.Entry?, in range: ClosedRange<Int>, _ value: inout Int) {
        guard let entry else { return }
        value = nodes.integer(entry.value, entry.key, in: range) ?? value
    }

    private mutating func texts(_ node: YAMLNode, _ what: String) -> [String] {
        (nodes.items(node, what) ?? []).compactMap { nodes.text($0, "an entry of \(what)") }
    }
}
