/**
 * A name that no other tab or browser has. It does not use `randomUUID`, because browsers have that
 * only on encrypted addresses, and a server of a local network often has none.
 */
export const uniqueName = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("-");
