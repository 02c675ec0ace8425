import type { App, RealmRow } from "../../core/context";
import { ApiError } from "../../core/errors";
import { createRealm } from "../../management/organization/create";
import { findRealmByHost } from "../../realm/queries";

/** Makes a realm. If another process has just made a realm with that host, answers that one. */
export async function makeRealm(
  app: App,
  { name, host }: { name: string; host: string },
): Promise<{ realm: RealmRow; isNew: boolean }> {
  try {
    return { realm: await createRealm(app, { name, host }, app.clock.now()), isNew: true };
  } catch (error) {
    const made =
      error instanceof ApiError ? await findRealmByHost(app.engine.reader, host) : undefined;
    if (!made) throw error;
    return { realm: made, isNew: false };
  }
}
