import type { Context, Tx, UserRow } from "../../core/context";
import { partsByAddress, watchersOf } from "../users/announce";
import { shownEmail } from "../users/shown";
import { modernPresenceChanged, presenceChanged } from "./events";
import { legacyClient, modernForm, type SeenAt } from "./wire";

/**
 * Tells those who see a person when they were last there, once the write is on disk and in the
 * order of the writes: who became invisible is not heard of after that. Event: presence, which is
 * not stored.
 */
export async function tellPresence(
  tx: Tx,
  { app, realm }: Pick<Context, "app" | "realm">,
  person: UserRow,
  seen: SeenAt,
) {
  const parts = partsByAddress(await watchersOf(tx, person, realm), person);
  for (const { audience, onlooker } of parts) {
    const legacy = presenceChanged({
      user_id: person.id,
      email: shownEmail(person, { onlooker, realmHost: realm.host }),
      server_timestamp: tx.now,
      presence: { website: legacyClient(seen) },
    });
    // Both forms are sent on: each client gets its own of `presencePresenter`.
    const event = {
      ...legacy,
      ...modernPresenceChanged({ presences: { [person.id]: modernForm(seen, person.createdAt) } }),
    };
    tx.afterCommit(() => app.events.sendEphemeral(realm.id, audience, event));
  }
}
