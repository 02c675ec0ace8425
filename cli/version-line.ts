import { commit, commitDate, version } from "../src/core/version";
import { ownSchema } from "../src/moving/backup/copies";

/** `chatd --version`: `chatd 1.2.0 (commit eeda5be7a2ec, 2026-11-27, schema 10)`. */
export function versionLine(): string {
  const origin = commit === undefined ? "from its sources" : `commit ${commit}`;
  const facts = [
    origin,
    ...(commitDate === undefined ? [] : [commitDate]),
    `schema ${ownSchema()}`,
  ];
  return `chatd ${version} (${facts.join(", ")})`;
}
