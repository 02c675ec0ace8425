import { makeToken } from "../../../../src/core/secrets/secrets";
import { onlyRow } from "../../../../src/core/write";
import { makeFileKey } from "../../../../src/files/store";
import type { World } from "../../world";
import { administrators, type Calls, signedOut } from "./call";

/** A finished export with content. */
async function storedExport({ app, realm, olga }: World) {
  const file = `${makeToken()}-export`;
  const draft = await app.files.begin(makeFileKey(realm.id, file));
  await draft.write(Buffer.from("soup"));
  await draft.keep();
  const now = app.clock.now();
  const row = {
    realmId: realm.id,
    userId: olga.id,
    type: "public",
    requestedAt: now,
    finishedAt: now,
    file,
  };
  const { id } = await app.engine.write(
    realm.id,
    async ({ db, t }) => onlyRow(await db.insert(t.realmExports).values(row).returning()),
    () => undefined,
  );
  return { id, path: { realm_id_str: String(realm.id), filename: `${id}-${file}.tar` } };
}

/** Forgets earlier exports, so that the daily limit does not apply. */
const forgetExports = ({ app, realm }: World) =>
  app.engine.write(
    realm.id,
    async ({ db, t }) => void (await db.delete(t.realmExports)),
    () => undefined,
  );

/** Exports of an organization. */
export const exportCalls: Calls = {
  "GET /export/realm": { by: "olga", outcomes: administrators, prepare: () => ({}) },
  "GET /export/realm/consents": { by: "olga", outcomes: administrators, prepare: () => ({}) },
  "POST /export/realm": {
    by: "olga",
    outcomes: { ...administrators, bot: "400 BAD_REQUEST" },
    prepare: async (world) => {
      await world.app.jobs.settled();
      await forgetExports(world);
      return { parameters: { export_type: "public" } };
    },
  },
  "DELETE /export/realm/{export_id}": {
    by: "olga",
    outcomes: administrators,
    prepare: async (world) => ({ path: { export_id: (await storedExport(world)).id } }),
  },
  "GET the page /realm_exports/{realm_id_str}/{filename}": {
    by: "olga",
    outcomes: {
      ...signedOut,
      others: "400",
      anonymous: "401",
      deactivated: "401",
      owner: "ok",
      administrator: "404",
    },
    prepare: async (world) => ({ path: (await storedExport(world)).path }),
  },
};
