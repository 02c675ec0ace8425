import type { Context, Tx, UserRow } from "../../core/context";
import { partsByAddress, watchersOf } from "../users/announce";
import { shownEmail } from "../users/shown";
import { modernPresenceChanged, presenceChanged } from "./events";
import { legacyClient, modernForm, type SeenAt } from "./wire";

/**
 * Announces to people who see somebody when they were last present, after the commit and in the
 * order of the writes, so that nothing is announced after somebody became invisible. Event:
 * presence, which is not stored.
 */
export async function tellPresence(
  tx: Tx,
  { app, realm }: Pick<Context, "app" | "realm">,
  person: UserRow,
  seen: SeenAt,
) {
  const parts = partsByAddress(await watchersOf(tx, person, realm), person);
  for (const { audience, viewer } of parts) {
    const legacy = presenceChanged({
      user_id: person.id,
      email: shownEmail(person, { viewer, realmHost: realm.host }),
      server_timestamp: tx.now,
      presence: { website: legacyClient(seen) },
    });
    // Sends both forms; `presencePresenter` picks one for each client.
    const event = {
      ...legacy,
      ...modernPresenceChanged({ presences: { [person.id]: modernForm(seen, person.createdAt) } }),
    };
    tx.afterCommit(() => app.events.sendEphemeral(realm.id, audience, event));
  }
}
