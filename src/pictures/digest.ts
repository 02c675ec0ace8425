/** The digest of a file, equal for equal files: SHA-256, hexadecimal. */
export const pictureDigest = (file: Uint8Array): string =>
  new Bun.CryptoHasher("sha256").update(file).digest("hex");
