import type { Answer } from "./client";
import type { Person } from "./world";

/** Moves a message, or a topic from it on, as the parameters say. */
export const move = (person: Person, id: number, parameters: object): Promise<Answer> =>
  person.patch(`/messages/${id}`, { ...parameters });

/** Where somebody finds messages, `channel/topic`; `hidden` for those that they may not read. */
export async function places(person: Person, ...ids: number[]): Promise<string[]> {
  const found: string[] = [];
  for (const id of ids) {
    const { status, body } = await person.get(`/messages/${id}`, { allow_empty_topic_name: true });
    found.push(
      status === 200 ? `${body.message.display_recipient}/${body.message.subject}` : "hidden",
    );
  }
  return found;
}

/** The ids of the messages that somebody finds in a topic. */
export async function inTopic(person: Person, channel: string, topic: string): Promise<number[]> {
  const narrow = [
    { operator: "channel", operand: channel },
    { operator: "topic", operand: topic },
  ];
  const { body } = await person.get("/messages", {
    anchor: "newest",
    num_before: 100,
    num_after: 0,
    narrow,
  });
  return body.messages.map(({ id }: { id: number }) => id);
}

/**
 * Makes a channel of some people, private with a shared history unless `parameters` say otherwise;
 * answers its id.
 */
export async function subscribeTo(
  owner: Person,
  name: string,
  people: Person[],
  parameters: object = { invite_only: true, history_public_to_subscribers: true },
): Promise<number> {
  const principals = people.map(({ id }) => id);
  await owner.post("/users/me/subscriptions", {
    subscriptions: [{ name }],
    principals,
    ...parameters,
  });
  return (await owner.get("/get_stream_id", { stream: name })).body.stream_id;
}
