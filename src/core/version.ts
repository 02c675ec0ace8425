/** chatd's own version. */
export const version = "0.1.0";

/** Written by `make build`: the commit that the executable was built from. */
declare const builtFromCommit: string | undefined;

/** The commit that this was built from; undefined where it runs from its sources. */
export const commit: string | undefined =
  typeof builtFromCommit === "undefined" ? undefined : builtFromCommit;

/** The version and the feature level of the protocol that clients are told. */
export const protocolVersion = "12.0";
export const featureLevel = 481;
