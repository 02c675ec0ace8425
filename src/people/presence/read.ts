import type { Reader } from "../../../db/reader";
import type { Context, Person } from "../../core/context";
import { JsonText, textMemory } from "../../core/raw-json";
import { isAddressOpen, type Onlooker, sees } from "../../core/sight";
import { onlookerOf } from "../users/onlooker";
import { shownEmail } from "../users/shown";
import { listPresences, type Present } from "./queries";
import { legacyForm, modernForm } from "./wire";

/** Wishes of a client about the people's presence. */
export interface PresenceView {
  /** The update id that it has; undefined, or below 1, for everything. */
  after?: number | undefined;
  /**
   * Days after which a person who was not there is left out. Does not count for a client that has
   * an update id.
   */
  historyLimitDays?: number | undefined;
  /** By user id in today's form; else by e-mail address in the older one. */
  isModern: boolean;
}

const historyDays = 14;
const historyDaysMax = 36_500;
const secondsPerDay = 86_400;

interface Sight {
  onlooker: Onlooker;
  realmHost: string;
  isModern: boolean;
}

const listTexts = textMemory<readonly Present[]>();

/**
 * When the people whom the actor sees were last there, as far as the client has not heard of it,
 * and the newest update id of that: the client's own, or −1, where there is nothing. The people are
 * an object in JSON, by what they are named by. Where guests see not everybody and
 * CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE is off, they are shown the others too, but not their
 * addresses.
 */
export async function readPresences(
  ctx: Context<Person>,
  reader: Reader,
  { after = -1, historyLimitDays = historyDays, isModern }: PresenceView,
): Promise<{ presences: JsonText; lastUpdateId: number }> {
  const { app, realm, now } = ctx;
  const since = after > 0 ? 0 : now - Math.min(historyLimitDays, historyDaysMax) * secondsPerDay;
  const rows = await listPresences(reader, realm.id, { after: Math.max(after, 0), since });
  const ids = rows.map(({ person }) => person.id);
  const onlooker = await onlookerOf(reader, ctx, ids);
  const isLimited = app.config.canAccessAllUsersGroupLimitsPresence && onlooker.seen !== undefined;
  const shown = isLimited ? rows.filter(({ person }) => sees(onlooker, person)) : rows;
  const lastUpdateId = shown.reduce(
    (newest, { presence }) => Math.max(newest, presence.updateId),
    after,
  );
  return {
    presences: listText(shown, { onlooker, realmHost: realm.host, isModern }),
    lastUpdateId,
  };
}

/** Clients from whom nothing is hidden share one list: it is written once. */
function listText(people: readonly Present[], sight: Sight): JsonText {
  const { onlooker, isModern } = sight;
  const isOpen =
    onlooker.seen === undefined &&
    (isModern || people.every(({ person }) => isAddressOpen(person)));
  const write = () => `{${people.map((one) => memberText(one, sight)).join(",")}}`;
  return isOpen ? listTexts(people, String(isModern), write) : new JsonText(write());
}

function memberText(
  { presence, person }: Present,
  { onlooker, realmHost, isModern }: Sight,
): string {
  const name = isModern ? String(person.id) : shownEmail(person, { onlooker, realmHost });
  const form = isModern ? modernForm(presence, person.createdAt) : legacyForm(presence);
  return `${JSON.stringify(name)}:${JSON.stringify(form)}`;
}
