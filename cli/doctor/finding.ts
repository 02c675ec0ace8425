/** Checks of the doctor, by the names in `docs/doctor.md`, with the page about each problem. */
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
  tls: "docs/https.md",
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

/** The name of a check, as `--except` takes it. */
export type Check = keyof typeof pages;

const isCheck = (name: string): name is Check => Object.hasOwn(pages, name);

export const checks: readonly Check[] = Object.keys(pages).filter(isCheck);

/** A problem that the doctor has found, and how to fix it. */
export interface Finding {
  check: Check;
  what: string;
  remedy: string;
}
