import { roles } from "../../protocol/roles";
import { byKey, change, changeEach, put, withMembers, withoutKeys } from "./copies";
import type { Event, EventOf, Register, User } from "./wire";

/**
 * All users whom the person can see, by id. Deactivated users and the server's own bots are
 * included, because messages name them.
 */
export type Users = ReadonlyMap<number, User>;

export const usersFrom = (register: Register): Users =>
  byKey<number, User>(
    register.realm_users.concat(register.realm_non_active_users, register.cross_realm_bots),
    ({ user_id }) => user_id,
  );

export function applyUsers(users: Users, event: Event): Users {
  switch (event.type) {
    case "realm_user":
      return applyUser(users, event);
    case "custom_profile_fields": {
      const ids = new Set(event.fields.map(({ id }) => String(id)));
      return changeEach(users, (user) => withProfileOf(user, ids));
    }
    default:
      return users;
  }
}

function applyUser(users: Users, event: EventOf<"realm_user">): Users {
  const { op, person } = event;
  if (op === "add") return put<number, User>(users, person.user_id, person);
  if (op === "remove") return withoutKeys(users, [person.user_id]);
  return change(users, person.user_id, (user) => withUpdate(user, person));
}

type Update = Extract<EventOf<"realm_user">, { op: "update" }>["person"];

function withUpdate(user: User, person: Update): User {
  if ("custom_profile_field" in person) return withAnswer(user, person.custom_profile_field);
  if ("new_email" in person) return withMembers(user, { email: person.new_email });
  if ("avatar_url" in person) {
    const { avatar_url, avatar_version } = person;
    return withMembers(user, { avatar_url, avatar_version });
  }
  return withMembers(user, "role" in person ? { ...person, ...factsOf(person.role) } : person);
}

/** Members of a user that depend on the role. */
const factsOf = (role: number) => ({
  is_owner: role <= roles.owner,
  is_admin: role <= roles.administrator,
  is_guest: role >= roles.guest,
});

type Answer = Extract<Update, { custom_profile_field: unknown }>["custom_profile_field"];

/** A user with a changed value of one profile field; null removes the value. */
function withAnswer(user: User, { id, ...answer }: Answer): User {
  const { [id]: _, ...others } = user.profile_data ?? {};
  const { value, ...more } = answer;
  return {
    ...user,
    profile_data: value === null ? others : { ...others, [id]: { ...more, value } },
  };
}

/** A user without values for profile fields that no longer exist. */
function withProfileOf(user: User, ids: ReadonlySet<string>): User {
  const entries = Object.entries(user.profile_data ?? {});
  const left = entries.filter(([id]) => ids.has(id));
  if (left.length === entries.length) return user;
  return { ...user, profile_data: Object.fromEntries(left) };
}

/** The id of the user whom an event deactivates; undefined if it deactivates nobody. */
export const deactivatedBy = (event: Event): number | undefined =>
  event.type === "realm_user" &&
  event.op === "update" &&
  "is_active" in event.person &&
  !event.person.is_active
    ? event.person.user_id
    : undefined;
