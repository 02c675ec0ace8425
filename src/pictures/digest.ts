/** By what it is told whether two files are the same: SHA-256, hexadecimal. */
export const pictureDigest = (file: Uint8Array): string =>
  new Bun.CryptoHasher("sha256").update(file).digest("hex");
