import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run";

/**
 * Files of the repository that a release has too, by their paths in both: pages for people who run
 * chatd, pictures in these pages, and the examples that they name. Pages for people who change
 * chatd stay in the repository.
 */
export const releaseDocuments = (): string[] => [
  "README.md",
  "SECURITY.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md") && name !== "design.md")
    .sort()
    .map((name) => `docs/${name}`),
  ...[
    "docs/web/pictures",
    "deploy/Caddyfile",
    "deploy/chatd.service",
    "deploy/fail2ban",
    "deploy/haproxy.cfg",
    "deploy/nginx.conf",
    "deploy/prometheus",
  ].flatMap(filesOf),
];

const filesOf = (path: string): string[] =>
  statSync(join(root, path)).isFile()
    ? [path]
    : readdirSync(join(root, path))
        .sort()
        .map((name) => `${path}/${name}`);
