/** chatd's own version. */
export const version = "0.1.0";

/** The version and the feature level of the protocol that clients are told. */
export const protocolVersion = "12.0";
export const featureLevel = 481;
