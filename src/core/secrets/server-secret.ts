import type { Engine } from "../../../db/engine";
import { findServerFact } from "../server-facts";
import type { Secrets } from "./secrets";

const name = "secret_fingerprint";

/**
 * The secret's fingerprint, which is stored among the facts about the server when the data is
 * created.
 */
export const secretFact = ({ fingerprint }: Secrets): Readonly<Record<string, string>> => ({
  [name]: fingerprint,
});

/**
 * Refuses to work on data that belongs to another secret, because no API key would match. The first
 * process on new data stores the fingerprint of its secret there.
 */
export async function requireSameSecret(engine: Engine, { fingerprint }: Secrets): Promise<void> {
  const { serverFacts } = engine.schema;
  let stored = await findServerFact(engine.reader, name);
  if (stored === undefined) {
    const insert = ({ db }: Pick<Engine["reader"], "db">) =>
      db.insert(serverFacts).values({ name, value: fingerprint }).onConflictDoNothing();
    await engine.write(
      0,
      async (tx) => void (await insert(tx)),
      () => undefined,
    );
    stored = await findServerFact(engine.reader, name);
  }
  if (stored !== fingerprint) throw ofAnotherSecret();
}

/** Refuses facts that data of another secret has, which a server must not even migrate. */
export function requireOwnFacts(facts: ReadonlyMap<string, string>, { fingerprint }: Secrets) {
  if ((facts.get(name) ?? fingerprint) !== fingerprint) throw ofAnotherSecret();
}

const ofAnotherSecret = () =>
  new Error(
    "This data belongs to another secret: its API keys would all be refused. Give every node that shares a database the " +
      "same CHATD_SECRET; on SQLite, keep the file `secret` beside the database.",
  );
