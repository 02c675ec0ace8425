import type { Reader } from "../../../db/reader";
import { daySeconds } from "../../core/clock";
import type { Context, Person } from "../../core/context";
import { JsonText, textMemory } from "../../core/json/raw-json";
import {
  isAddressOpen,
  mayReadAddress,
  sees,
  type Viewer,
} from "../../core/rights/person-visibility";
import { shownEmail } from "../users/shown";
import { viewerOf } from "../users/viewer";
import { listPresences, type Present } from "./queries";
import { legacyText, modernForm } from "./wire";

/** Options of a client for people's presence. */
interface PresenceView {
  /** The client's update id; undefined, or below 1, for everything. */
  after?: number | undefined;
  /** Days after which an absent person is left out. Ignored for a client that has an update id. */
  historyLimitDays?: number | undefined;
  /** By user id in the modern form, or else by e-mail address in the older one. */
  isModern: boolean;
}

const historyDays = 14;
const historyDaysMax = 36_500;

interface PresenceForm {
  viewer: Viewer;
  realmHost: string;
  isModern: boolean;
}

const listTexts = textMemory<readonly Present[]>();

/**
 * Updates of the presence of people whom the actor sees, since the client's update id, and the
 * newest update id of these: the client's own, or −1, where there are none. The people are an
 * object in JSON, by id or address. Where guests see only some people and
 * CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE is off, guests get the presence of the others too, but
 * not their addresses.
 */
export async function readPresences(
  ctx: Context<Person>,
  reader: Reader,
  { after = -1, historyLimitDays = historyDays, isModern }: PresenceView,
): Promise<{ presences: JsonText; lastUpdateId: number }> {
  const { app, realm, now } = ctx;
  const since = after > 0 ? 0 : now - Math.min(historyLimitDays, historyDaysMax) * daySeconds;
  const rows = await listPresences(reader, realm.id, { after: Math.max(after, 0), since, now });
  const ids = rows.map(({ person }) => person.id);
  const viewer = await viewerOf(reader, ctx, ids);
  const isLimited = app.config.canAccessAllUsersGroupLimitsPresence && viewer.seen !== undefined;
  const shown = isLimited ? rows.filter(({ person }) => sees(viewer, person)) : rows;
  const lastUpdateId = shown.reduce(
    (newest, { presence }) => Math.max(newest, presence.updateId),
    after,
  );
  return {
    presences: listText(shown, { viewer, realmHost: realm.host, isModern }),
    lastUpdateId,
  };
}

const memberTexts = textMemory<Present>();

/**
 * Clients that see everything share one list, which is serialized once. Where some addresses are
 * hidden, each client's list consists of texts that are serialized once for a person.
 */
function listText(people: readonly Present[], form: PresenceForm): JsonText {
  const { viewer, realmHost, isModern } = form;
  const join = (texts: string[]) => `{${texts.join(",")}}`;
  const isOpen =
    viewer.seen === undefined && (isModern || people.every(({ person }) => isAddressOpen(person)));
  if (isOpen)
    return listTexts(people, String(isModern), () =>
      join(people.map((one) => memberText(one, form))),
    );
  // The placeholder for an address contains the realm's host.
  const hidden = `hidden ${realmHost}`;
  const texts = people.map((one) => {
    const { person } = one;
    const isReadable = sees(viewer, person) && mayReadAddress(viewer, person);
    const variant = isModern ? "modern" : isReadable ? "address" : hidden;
    return memberTexts(one, variant, () => memberText(one, form)).text;
  });
  return new JsonText(join(texts));
}

function memberText(
  { presence, person }: Present,
  { viewer, realmHost, isModern }: PresenceForm,
): string {
  const name = isModern ? String(person.id) : shownEmail(person, { viewer, realmHost });
  const form = isModern
    ? JSON.stringify(modernForm(presence, person.createdAt))
    : legacyText(presence);
  return `${JSON.stringify(name)}:${form}`;
}
