import { afterAll, beforeAll, expect, test } from "bun:test";
import { desc, eq } from "drizzle-orm";
import { write } from "../../src/core/write";
import { seededRandom } from "../crash/seeded-random";
import {
  type ChannelName,
  channelKinds,
  extras,
  type Known,
  searches,
  type Term,
  topics,
  vocabulary,
} from "../support/narrow-model";
import { makeWorld, type Person, type World } from "../support/world";

/** Another one is tried with FUZZ_SEED=7; what fails names its narrow. */
const seed = Number(process.env["FUZZ_SEED"] ?? 1);
const messageCount = 240;
const narrowsPerViewer = 40;

const random = seededRandom(seed);
const below = (limit: number) => Math.floor(random() * limit);
const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
const happens = (chance: number) => random() < chance;

let world: World;
let people: Person[];
const messages: Known[] = [];
/** By person: what they did. */
const starred = new Map<number, Set<number>>();
const read = new Map<number, Set<number>>();
const policies = new Map<string, number>();
const mutedChannels = new Map<number, Set<ChannelName>>();
const subscribers: Record<ChannelName, Set<number>> = {
  general: new Set(),
  other: new Set(),
  secret: new Set(),
  plans: new Set(),
};

const policyOf = (viewer: number, { channel, topic }: Known) =>
  policies.get(`${viewer} ${channel} ${topic.toLowerCase()}`) ?? 0;

beforeAll(async () => {
  world = await makeWorld();
  const { alice, bob, carol, greta, otto, olga, adam, mona } = world;
  people = [alice, bob, carol, greta];
  for (const one of [olga, adam, mona, alice, bob, carol]) subscribers.general.add(one.id);
  for (const one of [alice, bob]) subscribers.secret.add(one.id);
  subscribers.plans.add(alice.id);
  await subscribe("other", [bob, otto, greta], true);
  // The notice that the channel is new is no message of the model's.
  await olga.delete(`/messages/${(await newest()).id}`);
  await send(messageCount / 3);
  // From here on others are there, and some are not any more.
  await subscribe("secret", [carol], true);
  await subscribe("plans", [carol], true);
  await subscribe("general", [carol], false);
  await send(messageCount / 3);
  await subscribe("general", [carol, greta], true);
  await subscribe("secret", [bob], false);
  await send(messageCount / 3);
  await act();
});
afterAll(() => world.close());

async function subscribe(name: ChannelName, who: Person[], isIn: boolean) {
  const principals = who.map(({ id }) => id);
  const by = name === "other" ? world.bob : world.alice;
  const quietly = { send_new_subscription_messages: false };
  const add = () =>
    by.post("/users/me/subscriptions", { subscriptions: [{ name }], principals, ...quietly });
  const leave = (one: Person) => one.delete("/users/me/subscriptions", { subscriptions: [name] });
  const answers = isIn ? [await add()] : await Promise.all(who.map(leave));
  for (const { status } of answers) expect(status).toBe(200);
  for (const id of principals) {
    if (isIn) subscribers[name].add(id);
    else subscribers[name].delete(id);
    // A person who leaves has read it all.
    if (!isIn) for (const one of messages) if (one.channel === name) one.readAnyway.add(id);
  }
}

/** Begins some conversations; answers them by the ids of their people. */
async function beginConversations() {
  const { alice, bob, carol } = world;
  const conversations = new Map<string, { people: Person[]; id: number }>();
  for (const group of [[alice, bob], [alice, carol], [alice, bob, carol], [alice], [bob, carol]]) {
    const [sender] = group as [Person];
    await sender.tell(group, "a beginning");
    const row = await newest();
    messages.push(knownDirect(row.id, sender.id, group, ["a", "beginning"]));
    conversations.set(group.map(({ id }) => id).join(), {
      people: group,
      id: row.conversationId ?? 0,
    });
  }
  return [...conversations.values()];
}

type Marks = Known["marks"];

/** Every mark is a link, and a picture is an attachment too. */
function withImplied(marks: Marks): Marks {
  const all = new Set(marks);
  if (all.size > 0) all.add("link");
  if (all.has("image")) all.add("attachment");
  return all;
}

/** Stores messages far from each other by id, so that the server has to look in many places. */
async function send(count: number) {
  const { operator, realm } = world;
  const conversations = await beginConversations();
  const ids = await channelIds();
  let { id } = await newest();
  const rows: (typeof operator.app.engine.schema.messages.$inferInsert)[] = [];
  for (let i = 0; i < count; i++) {
    id += 1 + (happens(0.3) ? below(30_000) : below(40));
    const words = Array.from({ length: 1 + below(4) }, () => pick(vocabulary));
    const marks = new Set((["link", "image", "attachment"] as const).filter(() => happens(0.1)));
    const html = `<p>${[...words, ...[...marks].map((mark) => extras[mark])].join(" ")}</p>`;
    const { people: group, id: conversationId } = pick(conversations);
    const channel = happens(0.3) ? undefined : pick(Object.keys(channelKinds) as ChannelName[]);
    const topic = channel === undefined ? "" : pick(topics);
    const senderId = pick(channel === undefined ? group : people).id;
    const place =
      channel === undefined
        ? { conversationId }
        : { channelId: ids[channel], sentChannelId: ids[channel] };
    rows.push({
      id,
      realmId: realm.id,
      senderId,
      ...place,
      topic,
      topicKey: topic.toLowerCase(),
      content: words.join(" "),
      renderedContent: html,
      client: "fuzz",
      sentAt: id,
      readBySender: true,
    });
    const all = withImplied(marks);
    const shown = [
      ...words,
      ...[...marks].map((mark) => ({ link: "there", image: "cat", attachment: "notes" })[mark]),
    ];
    if (channel === undefined)
      messages.push({
        ...knownDirect(id, senderId, group, shown),
        marks: all,
        readAnyway: new Set([senderId]),
      });
    else
      messages.push({
        id,
        senderId,
        channel,
        people: [],
        topic,
        words: shown,
        marks: all,
        receivedBy: new Set(subscribers[channel]),
        readAnyway: new Set([senderId]),
      });
  }
  await write(operator, (tx) => tx.db.insert(tx.t.messages).values(rows));
  await moveOn(id);
}

const knownDirect = (id: number, senderId: number, group: Person[], words: string[]): Known => {
  const everybody = group.map((one) => one.id);
  return {
    id,
    senderId,
    channel: undefined,
    people: everybody,
    topic: "",
    words,
    marks: new Set(),
    readAnyway: new Set(),
    receivedBy: new Set(everybody),
  };
};

/** PostgreSQL numbers its rows without looking at what is there. */
async function moveOn(last: number) {
  if (world.app.engine.dialect === "sqlite") return;
  const { default: postgres } = await import("postgres");
  const client = postgres(world.place.databaseUrl ?? "", { max: 1 });
  await client.unsafe(`ALTER TABLE messages ALTER COLUMN id RESTART WITH ${last + 1}`);
  await client.end();
}

async function newest() {
  const { db, t } = world.app.engine.reader;
  const [row] = await db.select().from(t.messages).orderBy(desc(t.messages.id)).limit(1);
  if (!row) throw new Error("There is no message.");
  return row;
}

async function channelIds(): Promise<Record<ChannelName, number>> {
  const { body } = await world.bob.get("/get_stream_id", { stream: "other" });
  return { ...world.channels, other: body.stream_id };
}

/** Flags, reactions, what people want of topics, and topics with other names. */
async function act() {
  const ids = await channelIds();
  for (const person of people) {
    const mine = messages.filter((message) => mayRead(person.id, message));
    for (const [flags, flag] of [
      [starred, "starred"],
      [read, "read"],
    ] as const) {
      const some = mine.filter(() => happens(flag === "read" ? 0.5 : 0.1)).map(({ id }) => id);
      flags.set(person.id, new Set(some));
      expect(
        (await person.post("/messages/flags", { messages: some, op: "add", flag })).status,
      ).toBe(200);
    }
    for (const message of mine.filter(() => happens(0.04))) {
      await person.post(`/messages/${message.id}/reactions`, { emoji_name: "tada" });
      message.marks.add("reaction");
    }
    const channels = (Object.keys(channelKinds) as ChannelName[]).filter((name) =>
      subscribers[name].has(person.id),
    );
    for (const name of channels) {
      for (const topic of ["lunch", "✔ done", "日本"]) {
        const policy = below(4);
        await person.post("/user_topics", {
          stream_id: ids[name],
          topic,
          visibility_policy: policy,
        });
        policies.set(`${person.id} ${name} ${topic.toLowerCase()}`, policy);
      }
    }
    const muted = channels.filter(() => happens(0.3));
    mutedChannels.set(person.id, new Set(muted));
    const data = muted.map((name) => ({ stream_id: ids[name], property: "is_muted", value: true }));
    if (data.length > 0)
      await person.post("/users/me/subscriptions/properties", { subscription_data: data });
  }
  const moved = messages.filter(({ channel }) => channel !== undefined && happens(0.1));
  for (const message of moved) message.topic = pick(topics);
  await write(world.operator, async ({ db, t: { messages: t } }) => {
    for (const { id, topic } of moved)
      await db.update(t).set({ topic, topicKey: topic.toLowerCase() }).where(eq(t.id, id));
  });
}

const isGuest = (viewer: number) => viewer === world.greta.id;

function mayRead(viewer: number, { channel, people: group, receivedBy }: Known): boolean {
  if (channel === undefined) return group.includes(viewer);
  const isIn = subscribers[channel].has(viewer);
  const kind = channelKinds[channel];
  if (kind === "public") return isIn || !isGuest(viewer);
  return isIn && (kind === "private" || receivedBy.has(viewer));
}

const mayReadIn = (viewer: number, name: ChannelName) =>
  subscribers[name].has(viewer) || (channelKinds[name] === "public" && !isGuest(viewer));

const isMuted = (message: Known, viewer: number) => {
  const policy = policyOf(viewer, message);
  const isInMuted =
    message.channel !== undefined && (mutedChannels.get(viewer)?.has(message.channel) ?? false);
  return (
    message.channel !== undefined && (policy === 1 || (isInMuted && policy !== 2 && policy !== 3))
  );
};

const isUnread = (message: Known, viewer: number) =>
  message.receivedBy.has(viewer) &&
  (message.channel === undefined || subscribers[message.channel].has(viewer)) &&
  !message.readAnyway.has(viewer) &&
  !read.get(viewer)?.has(message.id);

const states: Record<string, Term["holds"]> = {
  dm: ({ channel }) => channel === undefined,
  starred: ({ id }, viewer) => starred.get(viewer)?.has(id) ?? false,
  unread: isUnread,
  resolved: ({ topic, channel }) => channel !== undefined && topic.startsWith("✔ "),
  followed: (message, viewer) => message.channel !== undefined && policyOf(viewer, message) === 3,
  muted: isMuted,
  mentioned: () => false,
  alerted: () => false,
};

function makeTerm(viewer: number): Term {
  const negated = happens(0.3);
  const { alice, bob, carol } = world;
  const one = pick([alice, bob, carol]);
  const readable = (Object.keys(channelKinds) as ChannelName[]).filter((name) =>
    mayReadIn(viewer, name),
  );
  switch (below(9)) {
    case 0: {
      const name = pick(readable);
      return {
        operator: "channel",
        operand: name,
        negated,
        asks: "channel",
        opensHistory: true,
        holds: (m) => m.channel === name,
      };
    }
    case 1: {
      const topic = pick(topics);
      const key = topic.toLowerCase();
      const holds: Term["holds"] = (m) => m.channel !== undefined && m.topic.toLowerCase() === key;
      return { operator: "topic", operand: topic, negated, asks: "channel", holds };
    }
    case 2:
      return { operator: "sender", operand: one.id, negated, holds: (m) => m.senderId === one.id };
    case 3: {
      const group = new Set([
        viewer,
        ...[alice, bob, carol].filter(() => happens(0.5)).map(({ id }) => id),
      ]);
      const operand = [...group];
      const holds: Term["holds"] = (m) =>
        m.channel === undefined &&
        m.people.length === group.size &&
        m.people.every((id) => group.has(id));
      return { operator: "dm", operand, negated, asks: "direct", opensHistory: true, holds };
    }
    case 4: {
      const holds: Term["holds"] = (m) =>
        m.channel === undefined && m.people.includes(one.id) && m.people.includes(viewer);
      return { operator: "dm-including", operand: one.id, negated, asks: "direct", holds };
    }
    default:
      return makeOtherTerm(negated);
  }
}

function makeOtherTerm(negated: boolean): Term {
  switch (below(4)) {
    case 0: {
      const state = pick(Object.keys(states));
      const asks = state === "dm" ? { asks: "direct" as const } : {};
      return {
        operator: "is",
        operand: state,
        negated,
        ...asks,
        holds: (m, who) => states[state]?.(m, who) ?? false,
      };
    }
    case 1: {
      const mark = pick(["link", "image", "attachment", "reaction"] as const);
      return { operator: "has", operand: mark, negated, holds: (m) => m.marks.has(mark) };
    }
    case 2: {
      const [operand, finds] = pick(searches);
      // The topic and the content are apart: no phrase goes from one to the other.
      const holds: Term["holds"] = (m) =>
        finds([...m.topic.toLowerCase().split(" "), "|", ...m.words]);
      return { operator: "search", operand, negated: false, holds };
    }
    default:
      return happens(0.5)
        ? { operator: "in", operand: "home", negated, holds: (m, who) => !isMuted(m, who) }
        : {
            operator: "channels",
            operand: "public",
            negated,
            asks: "channel",
            opensHistory: true,
            holds: (m) => m.channel !== undefined && channelKinds[m.channel] === "public",
          };
  }
}

function expected(viewer: number, terms: Term[]): Known[] | "refused" {
  const wanted = terms.filter(({ negated }) => !negated);
  if (wanted.some(({ asks }) => asks === "channel") && wanted.some(({ asks }) => asks === "direct"))
    return "refused";
  const isShared = wanted.some(({ opensHistory }) => opensHistory);
  return messages.filter(
    (message) =>
      mayRead(viewer, message) &&
      (isShared || message.receivedBy.has(viewer)) &&
      terms.every(({ holds, negated }) => holds(message, viewer) !== negated),
  );
}

/** Whether `first_unread` passes over a message of a narrow, because the viewer has muted it. */
function isPassedOver(message: Known, terms: readonly Term[], viewer: number): boolean {
  const names = terms.map(({ operator, operand, negated }) =>
    [negated ? "-" : "", operator, operator === "is" || operator === "in" ? operand : ""].join(" "),
  );
  const has = (...wanted: string[]) => wanted.some((name) => names.includes(name));
  if (has(" id ", " is muted", "- in home")) return false;
  if (!has(" channel ")) return isMuted(message, viewer);
  return !has(" topic ") && policyOf(viewer, message) === 1;
}

const idsOf = (some: readonly { id: number }[]) => some.map(({ id }) => id);

async function compare(person: Person, terms: Term[]) {
  const narrow = terms.map(({ operator, operand, negated }) => ({ operator, operand, negated }));
  const what = `seed ${seed}, ${person.fullName}: ${JSON.stringify(narrow)}`;
  const model = expected(person.id, terms);
  const ask = (range: Record<string, unknown>) => person.get("/messages", { ...range, narrow });
  const all = await ask({ anchor: "newest", num_before: 1_000, num_after: 0 });
  if (model === "refused") {
    expect([what, all.body.code]).toEqual([what, "BAD_NARROW"]);
    return;
  }
  const found = idsOf(all.body.messages ?? []);
  const wrong = {
    tooMany: found.filter((id) => !model.some((one) => one.id === id)),
    missing: idsOf(model).filter((id) => !found.includes(id)),
  };
  expect([what, wrong]).toEqual([what, { tooMany: [], missing: [] }]);
  expect(found).toEqual(idsOf(model));
  const anchor = pick(messages).id + below(2);
  const [num_before, num_after] = [below(4), below(4)];
  const around = (await ask({ anchor, num_before, num_after })).body;
  const before = idsOf(model)
    .filter((id) => id < anchor)
    .slice(-num_before || messages.length);
  const after = idsOf(model)
    .filter((id) => id > anchor)
    .slice(0, num_after);
  const at = idsOf(model).filter((id) => id === anchor);
  expect([what, anchor, idsOf(around.messages)]).toEqual([
    what,
    anchor,
    [...before, ...at, ...after],
  ]);
  expect(around.found_anchor).toBe(at.length === 1);
  const unread = model.find(
    (one) => isUnread(one, person.id) && !isPassedOver(one, terms, person.id),
  );
  const first = await ask({ anchor: "first_unread", num_before: 0, num_after: 1 });
  expect([what, first.body.anchor]).toEqual([what, unread?.id ?? 10_000_000_000_000_000]);
  const asked = messages.filter(() => happens(0.2)).map(({ id }) => id);
  const matches = (await person.get("/messages/matches_narrow", { msg_ids: asked, narrow })).body
    .messages;
  expect([what, Object.keys(matches).map(Number)]).toEqual([
    what,
    idsOf(model).filter((id) => asked.includes(id)),
  ]);
}

test(`every narrow shows what a plain look at all messages would (seed ${seed})`, async () => {
  for (const person of people) {
    for (let i = 0; i < narrowsPerViewer; i++) {
      await compare(
        person,
        Array.from({ length: below(4) }, () => makeTerm(person.id)),
      );
    }
  }
}, 180_000);
