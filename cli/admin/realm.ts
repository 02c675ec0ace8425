import { isoTime } from "../../src/core/clock";
import type { RealmRow } from "../../src/core/context";
import { listOrganizations } from "../../src/organization/lookup";
import { createRealm as createRealmVerb } from "../../src/realm/service";
import { requireData, withApp } from "../operator";
import type { CommonOptions } from "../options";
import { formatTable, printResult } from "../output";

const shown = ({ id, name, host, isActive, createdAt }: RealmRow) => ({
  id,
  name,
  host,
  is_active: isActive,
  created_at: createdAt,
});

/** `chatd admin realm create`: makes an organization without anybody in it. */
export async function createRealm(options: CommonOptions & { name: string; host: string }) {
  const { name, host } = options;
  const realm = await withApp(options, (app) => createRealmVerb(app, { name, host }, app.clock.now()));
  printResult(options, { realm: shown(realm) }, [`Created the organization ${realm.name} at ${realm.host}.`]);
}

/** `chatd admin realm list` */
export async function listRealms(options: CommonOptions) {
  requireData(options);
  const realms = await withApp(options, listOrganizations);
  const rows = realms.map((realm) => [String(realm.id), realm.host, realm.name, isoTime(realm.createdAt)]);
  printResult(options, { realms: realms.map(shown) }, formatTable(["ID", "HOST", "NAME", "CREATED"], rows));
}
