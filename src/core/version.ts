/*
 * `make build` writes these into the executable: the version by the tags, the commit and its day.
 */
declare const builtVersion: string | undefined;
declare const builtFromCommit: string | undefined;
declare const builtCommitDate: string | undefined;

/** chatd's own version; `0.0.0-dev` where it runs from its sources. */
export const version: string = typeof builtVersion === "undefined" ? "0.0.0-dev" : builtVersion;

/** The commit that this was built from; undefined where it runs from its sources. */
export const commit: string | undefined =
  typeof builtFromCommit === "undefined" ? undefined : builtFromCommit;

/** The day of that commit, `2026-11-27`; undefined where it is not known. */
export const commitDate: string | undefined =
  typeof builtCommitDate === "undefined" || builtCommitDate === "" ? undefined : builtCommitDate;

/** The version and the feature level of the protocol that clients are told. */
export const protocolVersion = "12.0";
export const featureLevel = 481;
