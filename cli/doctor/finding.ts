/** Pages of the documentation by the problems that they describe. */
export const pages = {
  configuration: "docs/limits.md",
  secret: "docs/several-nodes.md",
  database: "docs/several-nodes.md",
  files: "docs/files.md",
  mail: "docs/mail.md",
  push: "docs/push.md",
  calls: "docs/calls.md",
  address: "docs/proxy.md",
  proxy: "docs/proxy.md",
  tls: "docs/proxy.md",
  statistics: "docs/doctor.md",
  disk: "docs/doctor.md",
  permissions: "docs/security.md",
  clock: "docs/doctor.md",
  unit: "docs/service.md",
  wal: "docs/doctor.md",
  copies: "docs/backup.md",
  jobs: "docs/mail.md",
  signup: "docs/security.md",
} as const;

export type Trap = keyof typeof pages;

const isTrap = (name: string): name is Trap => Object.hasOwn(pages, name);

export const traps: readonly Trap[] = Object.keys(pages).filter(isTrap);

/** A problem that the doctor has found, and how to fix it. */
export interface Finding {
  trap: Trap;
  what: string;
  remedy: string;
}
