import { systemGroupIds } from "../../src/people/users/system-group-membership";
import type { Answer, WireEvent } from "./client";
import type { Person, World } from "./world";

/** A user group as the protocol shows it. */
export type Group = ReturnType<typeof JSON.parse>;

/** Makes a group over HTTP, without members unless told otherwise, and answers its id. */
export async function makeGroup(
  creator: Person,
  name: string,
  parameters: object = {},
): Promise<number> {
  const answer = await creator.post("/user_groups/create", {
    name,
    description: "",
    members: [],
    ...parameters,
  });
  return succeeded(answer).group_id;
}

/** The body of an answer that has to be a success. */
export function succeeded({ status, body }: Answer): Group {
  if (status !== 200) throw new Error(`it was refused: ${JSON.stringify(body)}`);
  return body;
}

/** Every group by name, deactivated ones too, as somebody reads them. */
export async function groupsOf(person: Person): Promise<Map<string, Group>> {
  const { user_groups } = succeeded(
    await person.get("/user_groups", { include_deactivated_groups: true }),
  );
  return new Map(user_groups.map((group: Group) => [group.name, group]));
}

/** The ids of the system groups of a world's first realm, by the name behind `role:`. */
export async function roleGroups({ app, realm }: World): Promise<Record<string, number>> {
  const ids = await systemGroupIds(app.engine.reader, realm.id);
  return Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [name.replace("role:", ""), id]),
  );
}

/** Events about groups as `add_members role:members`, with the names that somebody reads. */
export async function groupMoves(reader: Person, events: WireEvent[]): Promise<string[]> {
  const names = new Map([...(await groupsOf(reader))].map(([name, { id }]) => [id, name]));
  return events
    .filter(({ type }) => type === "user_group")
    .map(({ op, group_id }) => `${op} ${names.get(group_id)}`);
}

/** Events without their ids. */
export const shapesOf = (events: WireEvent[]) => events.map(({ id: _, ...event }) => event);

export const idsOf = (...people: Person[]) => people.map(({ id }) => id);

export const anonymous = (members: Person[], subgroups: number[] = []) => ({
  direct_members: idsOf(...members),
  direct_subgroups: subgroups,
});

/** Capabilities of a client that knows deactivated groups. */
export const knowsDeactivated = {
  client_capabilities: {
    notification_settings_null: true,
    empty_topic_name: true,
    include_deactivated_groups: true,
  },
};
