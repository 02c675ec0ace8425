import { seededRandom } from "../../crash/seeded-random";
import type { Client } from "../client";
import { upload } from "../files";
import type { World } from "../world";
import { signInAll } from "./realm-view";

/**
 * Generates activity of an organization's people from a seed: messages in channels and to each
 * other, with files, reactions, edits, moves, stars and reading. Answers the number of messages;
 * some acts may be refused by the organization's settings.
 */
export async function generateTalk(world: World, host: string, seed: number): Promise<number> {
  const random = seededRandom(seed);
  const upTo = (count: number) => Math.floor(random() * count);
  const oneOf = <One>(list: readonly One[]): One => {
    const one = list[upTo(list.length)];
    if (one === undefined) throw new Error("There is nothing to choose from.");
    return one;
  };
  const people: Client[] = [];
  // Bots that only post cannot read and have no files.
  for (const person of (await signInAll(world, host)).values())
    if ((await person.get("/streams")).status === 200) people.push(person);
  const [first] = people;
  if (!first) throw new Error(`nobody is at ${host}`);
  const { members } = (await first.get("/users")).body;
  const ids: number[] = members.map(({ user_id }: { user_id: number }) => user_id);
  const { streams } = (await first.get("/streams")).body;
  const sent: { id: number; sender: Client }[] = [];
  for (let count = 0; count < 25; count++) {
    world.clock.advance(1 + upTo(3));
    const sender = oneOf(people);
    const file =
      random() < 0.3 ? ` [file](${await upload(sender, `f${count}.txt`, `${count}`)})` : "";
    const content = `word${count} ${oneOf(["**bold**", "@**all**", ":tada:", "/me waves", "a\nb"])}${file}`;
    const isDirect = random() < 0.4 || streams.length === 0;
    const { status, body } = await sender.post(
      "/messages",
      isDirect
        ? { type: "direct", to: [oneOf(ids), oneOf(ids)], content }
        : {
            type: "channel",
            to: oneOf<{ stream_id: number }>(streams).stream_id,
            topic: oneOf(["a", "B c", "ünï"]),
            content,
          },
    );
    if (status === 200) sent.push({ id: body.id, sender });
    if (sent.length > 0) await answer(oneOf(sent), oneOf(people), upTo(6), world);
  }
  return sent.length;
}

/** Something that somebody does with a message. */
async function answer(
  { id, sender }: { id: number; sender: Client },
  person: Client,
  kind: number,
  { clock }: World,
) {
  clock.advance(1);
  const flags = { messages: [id], op: "add" };
  if (kind === 0) await person.post(`/messages/${id}/reactions`, { emoji_name: "tada" });
  if (kind === 1) await person.post(`/messages/${id}/reactions`, { emoji_name: "+1" });
  if (kind === 2) await sender.patch(`/messages/${id}`, { content: `changed ${id}` });
  if (kind === 3) await sender.patch(`/messages/${id}`, { topic: "elsewhere" });
  if (kind === 4) await person.post("/messages/flags", { ...flags, flag: "starred" });
  if (kind === 5) await person.post("/messages/flags", { ...flags, flag: "read" });
}
