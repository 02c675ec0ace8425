import type { Reader } from "../../../db/reader";
import type { Presenter } from "../../core/event-hub";
import { membersJson } from "../../core/json/raw-json";
import { allRealmEmoji } from "./all";

/**
 * Writes `realm_emoji` events, each of which contains all emoji. The log does not store them,
 * because thousands of changes of thousands of emoji would fill it. A client gets the present
 * emoji, once for all changes that it has not received.
 */
export const makeRealmEmojiPresenter = (reader: Reader): Presenter => ({
  async late(entries) {
    const last = entries.at(-1);
    if (!last) return { texts: new Map() };
    const { text } = await allRealmEmoji(reader, last.realmId);
    const { type, op } = last.event;
    return { texts: new Map([[last.id, `${membersJson({ type, op })},${text}`]]) };
  },
});
