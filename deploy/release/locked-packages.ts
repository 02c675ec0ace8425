import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run";

/** A package as package-lock.json has it. */
export interface LockedPackage {
  version: string;
  /** `sha512-…`, of the archive in the registry. */
  integrity: string;
  license: string;
}

/** A package of package-lock.json; throws where there is none of this name. */
export function lockedPackage(name: string): LockedPackage {
  const lock: unknown = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const packages = fieldOf(lock, "packages");
  const found = fieldOf(packages, `node_modules/${name}`);
  const [version, integrity, license] = ["version", "integrity", "license"].map((field) =>
    fieldOf(found, field),
  );
  if (typeof version !== "string" || typeof integrity !== "string")
    throw new Error(`package-lock.json has no ${name}.`);
  return { version, integrity, license: typeof license === "string" ? license : "MIT" };
}

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
