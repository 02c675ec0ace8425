import { dangerousLinks, dangerousSources } from "../support/dangerous-markdown";
import { upload } from "../support/files";
import type { World } from "../support/world";
import { setScene } from "./scene";

/** Names that try to act, and text that turns its direction, as one line each. */
export const hostileNames: readonly string[] = [
  ...dangerousSources,
  ...dangerousLinks,
  "<img src=x onerror=alert(1) ",
  "<svg onload=alert(1)",
  "' onmouseover='alert(1)",
  "javascript:alert(1)",
  "&lt;script&gt;alert(1)",
  "\u202e<script>alert(1)</script>\u202c",
].map((source) => source.replaceAll(/\s+|\p{C}/gu, " ").trim());

type Answer = Promise<{ readonly status: number }>;

/** Makes one thing of each name that the server takes; answers how many it has taken. */
async function nameAll(
  length: number,
  give: (name: string, index: number) => Answer,
): Promise<number> {
  let count = 0;
  for (const name of hostileNames) {
    const { status } = await give(name.slice(0, length), count);
    if (status === 200) count += 1;
  }
  return count;
}

/**
 * The scene, in which everything that has a name has hostile ones too; how many, by what has them.
 */
export async function setHostileScene(world: World): Promise<Readonly<Record<string, number>>> {
  await setScene(world);
  const { body } = await world.alice.get("/get_stream_id", { stream: "engineering" });
  const names = [namePeople(world), nameNouns(world), nameMessages(world, body.stream_id)];
  const counts: Record<string, number> = {};
  for (const [what, count] of names.flatMap((one) => Object.entries(one)))
    counts[what] = await count();
  return counts;
}

type Named = Readonly<Record<string, () => Promise<number>>>;

function namePeople({ olga, alice, bob, carol, mona, adam, otto }: World): Named {
  const people = [bob, carol, mona, adam, otto];
  const person = (index: number) => people[index % people.length] ?? bob;
  const emoji_name = "train";
  return {
    people: () =>
      nameAll(60, (full_name, index) => olga.patch(`/users/${person(index).id}`, { full_name })),
    statuses: () =>
      nameAll(60, (status_text, index) =>
        person(index).post("/users/me/status", { status_text, emoji_name }),
      ),
    fields: () =>
      nameAll(40, (name) =>
        olga.post("/realm/profile_fields", { name, hint: name, field_type: 1 }),
      ),
    words: () =>
      nameAll(60, (word) => alice.post("/users/me/alert_words", { alert_words: [word] })),
  };
}

function nameNouns({ olga, alice, bob }: World): Named {
  const principals = [alice.id, bob.id];
  const channel = (name: string) => ({ subscriptions: [{ name, description: name }] });
  return {
    folders: () =>
      nameAll(60, (name) => olga.post("/channel_folders/create", { name, description: name })),
    channels: () =>
      nameAll(60, (name) =>
        olga.post("/users/me/subscriptions", { ...channel(name), principals, announce: false }),
      ),
    groups: () =>
      nameAll(100, (name) =>
        olga.post("/user_groups/create", { name, description: name, members: principals }),
      ),
    organization: () => nameAll(40, (name) => olga.patch("/realm", { name, description: name })),
  };
}

function nameMessages({ alice, bob, clock }: World, channel: number): Named {
  const inChannel = { type: "stream", to: channel };
  const lunch = { ...inChannel, topic: "lunch on Tuesday" };
  const scheduled_delivery_timestamp = clock.now() + 86_400;
  const send = (content: string) => bob.post("/messages", { ...lunch, content });
  return {
    topics: () =>
      nameAll(60, (topic) => bob.post("/messages", { ...inChannel, topic, content: topic })),
    polls: () => nameAll(100, (name) => send(`/poll ${name}\n${name}\n${name} again`)),
    tasks: () => nameAll(100, (name) => send(`/todo ${name}\n${name}: ${name}`)),
    snippets: () =>
      nameAll(60, (title) => alice.post("/saved_snippets", { title, content: title })),
    scheduled: () =>
      nameAll(60, (topic) => {
        const message = { ...inChannel, topic, content: topic };
        return alice.post("/scheduled_messages", { ...message, scheduled_delivery_timestamp });
      }),
    drafts: () =>
      nameAll(60, (topic) => {
        const draft = { type: "stream", to: [channel], topic, content: topic };
        return alice.post("/drafts", { drafts: [draft] });
      }),
    files: () =>
      nameAll(60, async (name) => {
        const uri = await upload(alice, `${name}.png`, "no picture");
        return send(`[${name.replaceAll(/[[\]]/g, "")}](${uri})`);
      }),
  };
}
