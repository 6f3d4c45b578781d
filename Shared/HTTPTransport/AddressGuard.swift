// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import WidgetSchema

/// The rules that reject connections to addresses that are not public.
///
/// Without these rules, a URL from outside could reach a service that only this machine can reach. Most of the rejected
/// ranges are from IANA's special-purpose registries (RFC 6890). The IPv6 ranges whose addresses contain an IPv4
/// address are rejected too, because such an address could reach an IPv4 host that is rejected itself.
///
/// A source that may use private networks can also connect to the ranges in `privateNames`, such as loopback and
/// private addresses. All other ranges remain rejected for this source. For example, the metadata services of clouds
/// (169.254.169.254) remain rejected, because they reveal secrets to any client.
package enum AddressGuard {
    /// Returns the reason why connections to `address` are rejected; nil if they are allowed.
    ///
    /// The reason is the name of a rejected range or of a metadata service. The addresses in `allowed` are never
    /// rejected; the operator of this process has listed them.
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

    /// The ranges that IANA has assigned as global unicast so far (RFC 4291 §2.4); the rest of IPv6 is reserved.
    private static let globalUnicast = ["2000::/3"].compactMap { IPRange($0) }

    /// The names of the ranges that `allowPrivateNetworks` permits.
    private static let privateNames: Set<String> = [
        "private", "loopback", "shared by carriers", "benchmarking", "unique local",
    ]

    /// The rejected ranges with their names.
    ///
    /// If several ranges contain an address, the name of the first one is reported.
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

    /// The addresses of the metadata services of clouds.
    ///
    /// They are rejected, even if private networks are allowed, because the services reveal secrets. Only the operator
    /// can allow such an address. Some of the addresses are also in `refusedRanges`, but the entries here give the
    /// precise reason.
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

    /// The number of rejected ranges, which a test compares with the expected number.
    ///
    /// A range with a typing error cannot be parsed and is left out; the test detects this.
    static var refusedRangeCount: Int { refusedRanges.count }
    /// The number of metadata services, which a test compares with the expected number.
    static var metadataServiceCount: Int { metadataServices.count }
}
