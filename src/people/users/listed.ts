import type { UserRow } from "../../core/context";
import { JsonText, jsonMemory, textMemory } from "../../core/json/raw-json";
import { isAddressOpen, mayReadAddress, sees } from "../../core/rights/person-visibility";
import { type UserView, userWire } from "./wire";

const userTexts = jsonMemory<UserRow>();
const listTexts = textMemory<readonly UserRow[]>();
const byActivity = new WeakMap<
  readonly UserRow[],
  Record<"active" | "inactive", readonly UserRow[]>
>();

const guardedPeople = new WeakMap<readonly UserRow[], ReadonlyMap<number, UserRow>>();

/**
 * A user for a viewer who sees them. Viewers share one text, unless they differ in whether
 * they may read the address.
 */
const userText = (user: UserRow, view: UserView): JsonText =>
  userTexts(
    user,
    [view.clientGravatar, mayReadAddress(view.viewer, user), view.includeProfileData].join(),
    () => userWire(user, view),
  );

/** The active people and bots of a realm, and the deactivated ones. `users` is from `listUsers`. */
export function divideByActivity(
  users: readonly UserRow[],
): Record<"active" | "inactive", readonly UserRow[]> {
  const cached = byActivity.get(users);
  if (cached) return cached;
  const divided = {
    active: users.filter(({ isActive }) => isActive),
    inactive: users.filter((user) => !user.isActive),
  };
  byActivity.set(users, divided);
  return divided;
}

/**
 * The users among these whom the viewer sees, as a list in JSON. `users` is from
 * `divideByActivity`.
 */
export function listedUsers(users: readonly UserRow[], view: UserView): JsonText {
  const { viewer } = view;
  if (viewer.seen === undefined) return listedToAll(users, view);
  return new JsonText(
    listOf(users.filter((user) => sees(viewer, user)).map((user) => userText(user, view))),
  );
}

/**
 * List for a viewer who sees everybody, shared by all others of their role and cached as long as
 * the users stay unchanged. The viewer's own entry is serialized separately where others of the
 * role may not read their address.
 */
function listedToAll(users: readonly UserRow[], view: UserView): JsonText {
  const { clientGravatar, includeProfileData, viewer } = view;
  const others = { ...view, viewer: { ...viewer, userId: nobody } };
  const list = listTexts(users, [clientGravatar, includeProfileData, viewer.role].join(), () =>
    listOf(users.map((user) => userText(user, others))),
  );
  const self = guardedOf(users).get(viewer.userId);
  if (self === undefined) return list;
  const [ownText, usualText] = [userText(self, view), userText(self, others)];
  if (ownText === usualText) return list;
  // The text occurs once: it contains the id, and quotes within values are escaped.
  const at = list.text.indexOf(usualText.text);
  return new JsonText(
    `${list.text.slice(0, at)}${ownText.text}${list.text.slice(at + usualText.text.length)}`,
  );
}

/** The people whose addresses not everybody may read, by id: others see these in another form. */
const guardedOf = (users: readonly UserRow[]): ReadonlyMap<number, UserRow> =>
  guardedPeople.getOrInsertComputed(
    users,
    () => new Map(users.filter((user) => !isAddressOpen(user)).map((user) => [user.id, user])),
  );

/** No user has this id. */
const nobody = 0;

const listOf = (texts: readonly JsonText[]) => `[${texts.map(({ text }) => text).join(",")}]`;
