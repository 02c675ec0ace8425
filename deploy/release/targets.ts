/** A kind of machine that executables are built for. */
export interface Target {
  /** Its part of names of files: `linux-x64`. */
  name: string;
  /** Bun's name for it. */
  bunTarget: string;
  /** The package with Bun's runtime for it, which is in package-lock.json. */
  runtimePackage: string;
  /** Debian's name for it, where there is a package for it. */
  debianArchitecture?: string;
}

export const targets: readonly Target[] = [
  {
    name: "linux-x64",
    bunTarget: "bun-linux-x64",
    runtimePackage: "@oven/bun-linux-x64",
    debianArchitecture: "amd64",
  },
  {
    name: "linux-arm64",
    bunTarget: "bun-linux-arm64",
    runtimePackage: "@oven/bun-linux-aarch64",
    debianArchitecture: "arm64",
  },
  {
    name: "linux-x64-musl",
    bunTarget: "bun-linux-x64-musl",
    runtimePackage: "@oven/bun-linux-x64-musl",
  },
  {
    name: "linux-arm64-musl",
    bunTarget: "bun-linux-arm64-musl",
    runtimePackage: "@oven/bun-linux-aarch64-musl",
  },
  { name: "darwin-x64", bunTarget: "bun-darwin-x64", runtimePackage: "@oven/bun-darwin-x64" },
  {
    name: "darwin-arm64",
    bunTarget: "bun-darwin-arm64",
    runtimePackage: "@oven/bun-darwin-aarch64",
  },
];

/** The targets of some names; all where none is named. */
export function targetsNamed(names: readonly string[]): readonly Target[] {
  const strange = names.find((name) => !targets.some((target) => target.name === name));
  if (strange !== undefined)
    throw new Error(
      `There is no target ${strange}. There is: ${targets.map(({ name }) => name).join(", ")}.`,
    );
  return names.length === 0 ? targets : targets.filter(({ name }) => names.includes(name));
}
