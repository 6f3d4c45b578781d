// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Says which addresses are not public, so that a URL from outside cannot reach what only this machine can.
///
/// A source that may reach private networks reaches loopback and private addresses, and nothing else of the list: the
/// services that clouds have for their machines (169.254.169.254) tell secrets to whoever asks.
///
/// The ranges are those of IANA's special-purpose registries (RFC 6890), and every form that carries an IPv4 address
/// inside an IPv6 one: such a form reaches the same host, so it would go around the list.
package enum AddressGuard {
    /// The name of the range that makes `address` refused; nil where it may be connected to.
    ///
    /// `allowed` are single addresses that the operator of this process has named; they may be any.
    package static func refusal(
        of address: IPAddress,
        allowPrivateNetworks: Bool = false,
        allowed: Set<IPAddress> = []
    ) -> String? {
        if allowed.contains(address) { return nil }
        if let service = metadataServices.first(where: { $0.range.contains(address) }) {
            return "instance metadata of \(service.cloud)"
        }
        if let refused = refusedRanges.first(where: { $0.range.contains(address) }) {
            return allowPrivateNetworks && privateNames.contains(refused.name) ? nil : refused.name
        }
        if !address.isIPv4, !globalUnicast.contains(where: { $0.contains(address) }) {
            return "not global unicast"
        }
        return nil
    }

    /// The addresses that IANA assigns as global unicast (RFC 4291 §2.4); the rest of IPv6 is reserved.
    private static let globalUnicast = ["2000::/3"].compactMap { IPRange($0) }

    /// The host names that `allowPrivateNetworks` allows.
    private static let privateNames: Set<String> = [
        "private", "loopback", "shared by carriers", "benchmarking", "unique local",
    ]

    /// The first one that holds an address counts.
    private static let refusedRanges: [(range: IPRange, name: String)] = [
        ("0.0.0.0/8", "this network"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "shared by carriers"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "protocol assignments"),
        ("192.0.2.0/24", "documentation"),
        ("192.88.99.0/24", "6to4 relay"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("::ffff:0:0/96", "IPv4-mapped"),
        ("::/96", "IPv4-compatible"),
        ("::ffff:0:0:0/96", "IPv4-translated"),
        ("64:ff9b::/96", "NAT64"),
        ("64:ff9b:1::/48", "NAT64"),
        ("100::/64", "discard only"),
        ("2001::/32", "Teredo"),
        ("2001::/23", "protocol assignments"),
        ("2001:db8::/32", "documentation"),
        ("2002::/16", "6to4"),
        ("3fff::/20", "documentation"),
        ("5f00::/16", "segment routing"),
        ("fc00::/7", "unique local"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "site-local"),
        ("ff00::/8", "multicast"),
    ].compactMap { text, name in IPRange(text).map { ($0, name) } }

    /// The addresses at which clouds tell their machines secrets, and at which their hosts answer; refused unless the
    /// operator has named the address.
    ///
    /// Most of 169.254.0.0/16 and fe80::/10 is refused anyway; they are named so that the reason is the right one.
    private static let metadataServices: [(range: IPRange, cloud: String)] = [
        // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
        ("169.254.169.254", "AWS, Azure, Google Cloud, OCI, DigitalOcean, Hetzner and OpenStack"),
        ("fd00:ec2::/32", "AWS"),
        // https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-metadata-endpoint-v4.html
        ("169.254.170.2", "AWS ECS"),
        // https://docs.aws.amazon.com/eks/latest/userguide/pod-id-how-it-works.html
        ("169.254.170.23", "AWS EKS"),
        // https://cloud.google.com/compute/docs/metadata/querying-metadata
        ("fd20:ce::254", "Google Cloud"),
        // https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
        ("168.63.129.16", "Azure"),
        // https://www.alibabacloud.com/help/en/ecs/user-guide/view-instance-metadata
        ("100.100.100.200", "Alibaba Cloud"),
        // https://www.scaleway.com/en/docs/instances/how-to/use-cloud-init/
        ("169.254.42.42", "Scaleway"),
        ("fd00:42::42", "Scaleway"),
        // https://docs.oracle.com/iaas/Content/Compute/Tasks/gettingmetadata.htm
        ("fd00:c1::a9fe:a9fe", "OCI"),
        // https://cloud.tencent.com/document/product/213/4934
        ("169.254.0.23", "Tencent Cloud"),
        // https://docs.openstack.org/nova/latest/user/metadata.html
        ("fe80::a9fe:a9fe", "OpenStack"),
        // https://docs.oracle.com/en/cloud/iaas/compute-iaas-cloud/stcsg/retrieving-instance-metadata.html
        ("192.0.0.192", "Oracle Compute Classic"),
    ].compactMap { text, cloud in IPRange(text).map { ($0, cloud) } }

    /// The number of ranges that are refused by name: a range with a typing error would otherwise vanish unseen.
    static var refusedRangeCount: Int { refusedRanges.count }
    /// The same of metadata services.
    static var metadataServiceCount: Int { metadataServices.count }
}
