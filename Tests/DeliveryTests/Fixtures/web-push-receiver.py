# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Decrypts a push message as a browser does (RFC 8291), and verifies the signature of its sender (RFC 8292).

Standard input has four lines: the browser's private number, its secret, the body (all base64url), and the header
Authorization. Standard output is one JSON object: {"message", "claims", "receiver"}.
"""
import base64, json, sys

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point(key):
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def hkdf(secret, salt, info, length):
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)


def decrypt(body, private, auth):
    salt, length = body[:16], body[20]
    sender, record = body[21:21 + length], body[21 + length:]
    assert int.from_bytes(body[16:20], "big") >= len(record)
    shared = private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
    secret = hkdf(shared, auth, b"WebPush: info\0" + point(private.public_key()) + sender, 32)
    key = hkdf(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = hkdf(secret, salt, b"Content-Encoding: nonce\0", 12)
    text = AESGCM(key).decrypt(nonce, record, None).rstrip(b"\0")
    assert text[-1] == 2
    return text[:-1]


scalar, auth, body, header = sys.stdin.read().split("\n")[:4]
private = ec.derive_private_key(int.from_bytes(decode(scalar), "big"), ec.SECP256R1())
auth, body = decode(auth), decode(body)
try:
    import http_ece
    receiver = "http_ece"
    text = http_ece.decrypt(body, private_key=private, auth_secret=auth, version="aes128gcm")
except ImportError:
    receiver = "cryptography"
    text = decrypt(body, private, auth)

scheme, _, rest = header.partition(" ")
assert scheme == "vapid"
values = dict(part.strip().split("=", 1) for part in rest.split(","))
head, claims, signature = values["t"].split(".")
assert json.loads(decode(head)) == {"typ": "JWT", "alg": "ES256"}
numbers = decode(signature)
assert len(numbers) == 64
key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(values["k"]))
key.verify(
    utils.encode_dss_signature(int.from_bytes(numbers[:32], "big"), int.from_bytes(numbers[32:], "big")),
    f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()),
)
print(json.dumps({"message": json.loads(text), "claims": json.loads(decode(claims)), "receiver": receiver}))
