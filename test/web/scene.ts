import { sectionNames } from "../../src/web/model/setting-sections";
import { upload } from "../support/files";
import { roleGroups } from "../support/groups";
import { emojiForm, paint } from "../support/pictures";
import type { Person, World } from "../support/world";

/** Names that the people of the world have in the scene. */
const names: [
  keyof Pick<World, "alice" | "bob" | "carol" | "mona" | "adam" | "olga" | "otto">,
  string,
][] = [
  ["alice", "Amara Okafor"],
  ["bob", "Hana Sato"],
  ["carol", "Bram de Vries"],
  ["mona", "Chen Wei"],
  ["adam", "Dalia Haddad"],
  ["olga", "Emil Novak"],
  ["otto", "Farah Rahimi"],
];

/** Channels by the folder in which they stand. */
const folders: Record<string, Record<string, object>> = {
  Engineering: {
    engineering: { description: "How we build and ship. Decisions go to the log." },
    incidents: {},
    infrastructure: {},
    security: { invite_only: true },
    "build-alerts": {},
  },
  Everybody: { announcements: {}, design: {}, lunch: {} },
};

const colours: Record<string, string> = {
  engineering: "#5b6ee1",
  incidents: "#d1495b",
  infrastructure: "#2a9d6f",
  security: "#b07d12",
  "build-alerts": "#8a8f98",
  announcements: "#0b8fa3",
  design: "#b0539c",
  lunch: "#c9702b",
};

const newForSeconds = 15 * 86_400;
const morningSeconds = 9 * 3_600 + 720;

async function done(answer: Promise<{ status: number; body: unknown }>) {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(`the scene was refused: ${JSON.stringify(body)}`);
  return body as { channel_folder_id?: number };
}

/** Addresses of the scene's views, by the names of the views. */
export async function viewsOf({ alice, bob, adam, olga }: World): Promise<Record<string, string>> {
  const { body } = await alice.get("/get_stream_id", { stream: "engineering" });
  const channel = `#narrow/channel/${body.stream_id}-engineering`;
  return {
    conversations: "#conversations",
    inbox: "#inbox",
    recent: "#recent",
    combined: "#feed",
    channel,
    topics: channel.replace("#narrow", "#topics"),
    drafts: "#drafts",
    scheduled: "#scheduled",
    reminders: "#reminders",
    snippets: "#snippets",
    channels: "#channels/all",
    "channel-settings": `#channels/${body.stream_id}`,
    invitations: "#invitations",
    "own-files": "#files",
    ...Object.fromEntries(sectionNames.map((name) => [`settings-${name}`, `#settings/${name}`])),
    topic: `${channel}/topic/release.202.2E0`,
    widgets: `${channel}/topic/lunch.20on.20Tuesday`,
    direct: `#narrow/dm/${bob.id}-Hana`,
    "direct-several": `#narrow/dm/${adam.id},${olga.id}-group`,
    mentions: "#narrow/is/mentioned",
    starred: "#narrow/is/starred",
    search: `${channel}/search/frequencies`,
    operators: `${channel}/-is/resolved/has/reaction/search/moon:full`,
    reactions: `#narrow/has/reaction/sender/${alice.id}`,
    alerts: "#narrow/is/alerted",
    files: "#narrow/has/attachment",
    nothing: "#narrow/search/unheard-of",
  };
}

/** Makes an organization that looks like one at work, as alice sees it. */
export async function setScene(world: World): Promise<void> {
  const { olga, alice } = world;
  await done(olga.patch("/realm", { name: "Northwind" }));
  for (const [name, full_name] of names)
    await done(olga.patch(`/users/${world[name].id}`, { full_name }));
  const everyone = names.map(([name]) => world[name].id);
  for (const [folder, channels] of Object.entries(folders)) {
    const made = await done(
      olga.post("/channel_folders/create", { name: folder, description: "" }),
    );
    for (const [name, more] of Object.entries(channels)) {
      const { description = "", ...rest } = more as { description?: string };
      await done(
        olga.post("/users/me/subscriptions", {
          subscriptions: [{ name, description }],
          principals: everyone,
          folder_id: made.channel_folder_id,
          announce: false,
          ...rest,
        }),
      );
    }
  }
  await setOwnChannels(alice);
  // Newcomers are shown what to do next; the scene is one of people at work.
  world.clock.advance(newForSeconds + morningSeconds);
  await invite(world);
  await addEmoji(world);
  await talk(world);
}

/** Emoji of the organization: one by alice, and one by somebody else. */
async function addEmoji({ alice, mona }: World): Promise<void> {
  for (const [person, name] of [
    [alice, "northwind"],
    [mona, "ship_it"],
  ] as const) {
    const body = emojiForm(paint(64, 64, (x, y) => [40, 90 + x, 120 + y]));
    await done(person.ask("POST", `/realm/emoji/${name}`, {}, { body }));
  }
}

/** Lets members make links to join; one by alice is open, and an invitation of an address. */
async function invite(world: World): Promise<void> {
  const { alice, olga } = world;
  const { members } = await roleGroups(world);
  await done(olga.patch("/realm", { create_multiuse_invite_group: { new: members } }));
  await done(alice.post("/invites/multiuse", { invite_as: 600 }));
  await done(alice.post("/invites", { invitee_emails: "rosa@example.com", stream_ids: [] }));
}

async function setOwnChannels(alice: Person): Promise<void> {
  const rows: { name: string; stream_id: number }[] = (await alice.get("/users/me/subscriptions"))
    .body.subscriptions;
  const changes = rows.flatMap(({ name, stream_id }) => {
    const color = { stream_id, property: "color", value: colours[name] ?? "#76ce90" };
    const muted = { stream_id, property: "is_muted", value: true };
    return name === "build-alerts" ? [color, muted] : [color];
  });
  await done(alice.post("/users/me/subscriptions/properties", { subscription_data: changes }));
  const subscriptions = ["general", "plans", "secret"];
  await done(alice.delete("/users/me/subscriptions", { subscriptions }));
}

async function talk(world: World): Promise<void> {
  const { alice, bob, carol, mona, adam, olga } = world;
  await done(alice.post("/mark_all_as_read", {}));
  const cut = await mona.say(
    "engineering",
    "release 2.0",
    "The branch is cut. What is left is in the list; I would like to tag on Tuesday.\n\n* register at 1,000,000 messages: `72 → 2 ms`, waits for a second run\n* release notes: Dalia has a draft",
  );
  for (const person of [alice, bob, adam])
    await done(person.post(`/messages/${cut}/reactions`, { emoji_name: "+1" }));
  for (const person of [bob, carol])
    await done(person.post(`/messages/${cut}/reactions`, { emoji_name: "rocket" }));
  await bob.say(
    "engineering",
    "release 2.0",
    "Second run is through, on the small machine too. The two tall ones are the planner choosing a scan; it is gone with the frequencies told.",
  );
  await bob.say(
    "engineering",
    "release 2.0",
    "This is the part that matters:\n\n```typescript\nconst head = await findLogHead(reader, realm.id);\nreturn { registeredAt: head, state: await loadState(reader, wanted) }; // one moment\n```",
  );
  await askTogether(world);
  await alice.say("engineering", "✔ upgrade notes", "Done, thank you all.");
  await done(alice.post("/mark_all_as_read", {}));
  world.clock.advance(2_700);
  await carol.say(
    "engineering",
    "release 2.0",
    "> it is gone with the frequencies told\n\nDoes that hold after an import, before the first `ANALYZE`? I can try it on the copy of Friday.",
  );
  await adam.say(
    "engineering",
    "release 2.0",
    "@**Amara Okafor** the notes are ready for you. Two sentences on queues that outlive a restart would be good, you know that part best.",
  );
  world.clock.advance(300);
  await mona.say("engineering", "release 2.0", "Tuesday it is, then.");
  await olga.say("engineering", "flaky poll test", "It waits for the wrong event, I think.");
  await bob.say("engineering", "flaky poll test", "Then it is the test, good.");
  await mona.say("engineering", "search quality", "Words in two scripts are found now.");
  await carol.say("incidents", "disk of node 3", "Full in two days, if it goes on like this.");
  await olga.say("incidents", "disk of node 3", "A new one is ordered.");
  await olga.say("announcements", "office", "The office is closed on Friday.");
  await adam.say(
    "design",
    "release page",
    "The picture is a little smaller now. @**Amara Okafor** do you like it?",
  );
  await adam.say("design", "icons", "The bell has a clapper.");
  await mona.say("build-alerts", "nightly", "Build 1204 is green.");
  await carol.tell([alice], "Thank you for the review!");
  await adam.tell([alice, olga], "Shall we meet on Monday?");
  await alice.tell([adam, olga], "At ten.");
  await bob.tell([alice], "Do you have a minute?");
  await keepForLater(world, cut);
  await comeAndGo(world);
}

/** Signs of who is there. */
async function comeAndGo({ bob, carol, mona, adam }: World): Promise<void> {
  for (const person of [bob, mona, adam])
    await done(person.post("/users/me/presence", { status: "active" }));
  await done(carol.post("/users/me/presence", { status: "idle" }));
  await done(bob.post("/users/me/status", { status_text: "in the train", emoji_name: "train" }));
}

/** Texts that alice keeps for later. */
async function keepForLater({ alice, bob, clock }: World, messageId: number): Promise<void> {
  const { body } = await alice.get("/get_stream_id", { stream: "announcements" });
  const inDays = (days: number) => ({ scheduled_delivery_timestamp: clock.now() + days * 86_400 });
  const release = {
    type: "stream",
    to: body.stream_id,
    topic: "release 2.0",
    content: "2.0 is out. Thank you all: the notes are in the channel, and lunch is on the house.",
  };
  await done(alice.post("/scheduled_messages", { ...release, ...inDays(5) }));
  const hello = { type: "direct", to: [bob.id], content: "Welcome back! How was it?" };
  await done(alice.post("/scheduled_messages", { ...hello, ...inDays(1) }));
  const reminder = { message_id: messageId, note: "Is the list empty?", ...inDays(2) };
  await done(alice.post("/reminders", reminder));
  await done(
    alice.post("/saved_snippets", {
      title: "Report a fault",
      content: "**What happens**\n\n**What should happen**\n\n**Version**",
    }),
  );
}

/** Colours of a picture: hills below a sky. */
const hillsAt = (x: number, y: number): readonly [number, number, number] => {
  const [far, near] = [150 + 30 * Math.sin(x / 60), 220 + 40 * Math.sin(x / 90 + 2)];
  if (y > near) return [62, 120, 92];
  return y > far ? [118, 160, 140] : [214, 226, 240];
};

/** A poll, a to-do list, a picture for a group, and a file that alice has sent for it. */
async function askTogether({ alice, bob, carol, olga, adam, mona }: World): Promise<void> {
  const description = "They know the way to each release.";
  const members = [alice, bob, carol, adam].map(({ id }) => id);
  await done(olga.post("/user_groups/create", { name: "release team", description, members }));
  await bob.say(
    "engineering",
    "lunch on Tuesday",
    "/poll Where do we go after the release?\nThe soup place\nThe market\nWe bring something",
  );
  await carol.say(
    "engineering",
    "lunch on Tuesday",
    "/todo Before we go\nRelease notes: two sentences on queues\nTag",
  );
  const map = await upload(mona, "map.png", paint(480, 320, hillsAt));
  const toldFirst = await mona.say(
    "engineering",
    "lunch on Tuesday",
    `@*release team* [The way there](${map}), over the hill.`,
  );
  await done(
    mona.patch(`/messages/${toldFirst}`, {
      content: `@*release team* [The way there](${map}), around the hill.`,
    }),
  );
  const notes = await upload(
    alice,
    "release notes 2.0.txt",
    "Queues outlive a restart.\n".repeat(90),
  );
  await alice.say("engineering", "lunch on Tuesday", `[The notes](${notes}), to read before.`);
}
