import { importFile } from "../../../src/moving/import/import-file";
import type { Skipped } from "../../../src/moving/import/report";
import type { Client } from "../client";
import { makeWorld } from "../world";
import { signInAll } from "./realm-view";
import { writeReferenceExport } from "./reference-export";

/** Host at which exports of the reference server are imported. */
export const importedHost = "here.example.org";

/**
 * Imports the export of `reference-export.ts`, written to `path`, into a new world. `more` adds
 * entries to the archive or replaces them.
 */
export async function importReference(path: string, more: Record<string, unknown> = {}) {
  const world = await makeWorld();
  writeReferenceExport(path, more);
  const told: Skipped[] = [];
  const take = (how: { host?: string; isDry?: boolean } = {}) =>
    importFile(
      world.app,
      path,
      { from: "zulip", host: importedHost, name: undefined, isDry: false, ...how },
      { progress: () => undefined, tell: (one) => void told.push(one) },
    );
  const report = await take();
  const people = await signInAll(world, importedHost);
  const person = (name: string): Client | undefined => people.get(`${name}@example.com`);
  const { state } = (await person("ann")?.register()) ?? { state: {} };
  return { world, path, take, report, told, person, state };
}
