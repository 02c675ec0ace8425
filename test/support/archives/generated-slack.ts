import { seededRandom } from "../../crash/seeded-random";

type Value = Record<string, unknown>;

/** One thing of a generated export, and how a report names it. */
export interface Expected {
  what: "message" | "file" | "person";
  /** Word that is nowhere else, which its text has. */
  word: string;
  which: string;
}

/** A reaction of a generated export. */
export interface ExpectedReaction {
  word: string;
  who: string;
  which: string;
  name: string;
}

export interface GeneratedExport {
  entries: Record<string, unknown>;
  expected: Expected[];
  reactions: ExpectedReaction[];
  /** Ids of people who are only named by messages, conversations and reactions. */
  missing: Set<string>;
  /**
   * Forms of messages, each with a place in threads, a sender or a reaction that it has: `3 reply`.
   */
  pairs: Set<string>;
}

/** An export of Slack by a seed, in which nothing is alike but the forms of its parts. */
export function generateSlackExport(seed: number): GeneratedExport {
  const random = seededRandom(seed);
  const upTo = (count: number) => Math.floor(random() * count);
  const oneOf = <One>(list: readonly [One, ...One[]]): One => list[upTo(list.length)] ?? list[0];
  const people = Array.from({ length: 3 + upTo(4) }, (_, index) => `U${index}`);
  const anyone = () => oneOf(["U0", "U1", "U2", ...people, "M1", "M2"]);
  const channels = ["general", "plans", "random"].slice(0, 1 + upTo(3));
  const made: GeneratedExport = {
    entries: {
      "users.json": people.map((id, index) => makePerson(id, index)),
      "channels.json": channels.map((name, index) => ({
        id: `C${index}`,
        name,
        created: 1_599_000_000,
        members: [anyone(), anyone()],
        purpose: { value: `for <#C0|general> &amp; more` },
        topic: { value: "" },
      })),
      "dms.json": [{ id: "D1", created: 1_599_000_000, members: ["U0", "U1"] }],
    },
    expected: people.map((id) => ({ what: "person", word: `Person ${id}`, which: id })),
    reactions: [],
    missing: new Set(),
    pairs: new Set(),
  };
  noteMissing(made, made.entries["channels.json"]);
  addUnknownEntries(made, channels);
  let count = 0;
  for (const folder of [...channels, "D1"]) {
    let root: string | undefined;
    const messages = Array.from({ length: 3 + upTo(8) }, () => {
      count += 1;
      const ts = `${1_600_081_200 + count}.000100`;
      const [word, which] = [`w${seed}x${count}e`, `${folder} ${ts}`];
      const [user, form] = [anyone(), upTo(formCount)];
      const message = makeMessage({ made, word, which, form, oneOf, upTo }, user);
      if (root !== undefined && upTo(3) === 0) message["thread_ts"] = root;
      else if (upTo(3) === 0) {
        root = ts;
        Object.assign(message, { thread_ts: ts, reply_count: 1 });
      }
      if (upTo(3) === 0)
        message["reactions"] = [makeReaction(made, { word, which }, oneOf, anyone())];
      noteMissing(made, [message]);
      notePairs(made, form, message);
      return { type: "message", ts, ...message };
    });
    made.entries[`${folder}/2020-09-14.json`] = messages;
  }
  return made;
}

/** Adds what newer exports have besides messages, and a file that no message names. */
function addUnknownEntries({ entries, expected }: GeneratedExport, channels: readonly string[]) {
  const names = [
    ...channels.map((channel) => `${channel}/canvas_in_the_conversation.json`),
    "FC:F0123:Plan/2020-09-14.html",
    "canvases.json",
    "lists.json",
    "__uploads/F0/nobodys.txt",
  ];
  for (const name of names) {
    entries[name] = [{ id: "F0123" }];
    expected.push({ what: "file", word: name, which: name });
  }
}

/** Notes people without a record whom channels have as members, or messages as senders. */
function noteMissing({ missing }: GeneratedExport, given: unknown) {
  for (const one of Array.isArray(given) ? given : []) {
    const keys = one.subtype === "channel_join" ? [] : [one.user, ...(one.members ?? [])];
    for (const key of keys) if (`${key}`.startsWith("M")) missing.add(key);
  }
}

/** Notes the form of a message with its place in threads, with its sender and with its reaction. */
function notePairs({ pairs }: GeneratedExport, form: number, message: Value) {
  const { thread_ts, reply_count, user, reactions } = message;
  const isMissing = `${user}`.startsWith("M");
  pairs.add(`${form} ${reply_count ? "root" : thread_ts ? "reply" : "alone"}`);
  pairs.add(`${form} ${user === undefined ? "nobody" : isMissing ? "missing" : "person"}`);
  const [reaction] = Array.isArray(reactions) ? reactions : [];
  pairs.add(`${form} ${reaction?.name ?? "none"}`);
}

const makePerson = (id: string, index: number): Value => ({
  id,
  name: `person${index}`,
  is_primary_owner: index === 0,
  is_owner: index === 0,
  profile: { real_name: `Person ${id}`, email: `${id.toLowerCase()}@example.com` },
});

/** Number of forms that `makeMessage` makes. */
export const formCount = 10;

interface Making {
  made: GeneratedExport;
  word: string;
  which: string;
  form: number;
  oneOf: <One>(list: readonly [One, ...One[]]) => One;
  upTo: (count: number) => number;
}

const richText = (word: string): Value => ({
  type: "rich_text",
  elements: [
    {
      type: "rich_text_section",
      elements: [{ type: "text", text: `${word} `, style: { bold: true } }],
    },
    {
      type: "rich_text_list",
      style: "bullet",
      indent: 0,
      elements: [
        { type: "rich_text_section", elements: [{ type: "text", text: `${word}-outer` }] },
      ],
    },
    {
      type: "rich_text_list",
      style: "ordered",
      indent: 1,
      elements: [
        { type: "rich_text_section", elements: [{ type: "text", text: `${word}-inner` }] },
      ],
    },
  ],
});

/** A message of one of the forms that exports have; its words are expected. */
function makeMessage({ made, word, which, form, oneOf, upTo }: Making, user: string): Value {
  const expect = (words: string[], what: Expected["what"] = "message") => {
    for (const one of words) made.expected.push({ what, word: one, which });
  };
  expect([word]);
  if (form === 0) {
    expect([`${word}-outer`, `${word}-inner`]);
    return { user, text: "a summary", blocks: [richText(word)] };
  }
  if (form === 1) {
    const text = `${word} ${oneOf(["many words ", "```\nx\n```\n", "line\n"]).repeat(3_000)} ${word}-last`;
    expect([`${word}-last`]);
    return { user, text };
  }
  if (form === 2) {
    expect([`${word}-field`, `${word}-footer`]);
    const fields = [{ title: "Where", value: `${word}-field` }];
    return {
      user,
      text: word,
      attachments: [{ title: "Build", fields, footer: `${word}-footer` }],
    };
  }
  if (form === 3) {
    expect([`${word}-quoted`]);
    const forward = { is_share: true, author_name: "Ann", text: `${word}-quoted` };
    return { user, text: word, attachments: [forward] };
  }
  if (form === 4) {
    expect([`${word}-page`]);
    return {
      user,
      text: word,
      attachments: [{ from_url: "https://x.example.com/", title: `${word}-page` }],
    };
  }
  if (form === 5) {
    expect([`${word}-call`]);
    return {
      user,
      text: word,
      blocks: [richText(word), { type: "call", call_id: `${word}-call` }],
    };
  }
  if (form === 6) return { subtype: "channel_join", user, text: word };
  if (form === 7) return { text: word };
  if (form === 8) return { subtype: "bot_message", username: "deployer", text: word };
  const name = `${word}-file.txt`;
  const isThere = upTo(2) === 0;
  expect([name], "file");
  if (isThere) made.entries[`__uploads/F${word}/${name}`] = `content of ${word}`;
  return {
    user,
    text: word,
    files: [{ id: `F${word}`, name, size: 3, ...(isThere ? {} : { url_private: "" }) }],
  };
}

function makeReaction(
  made: GeneratedExport,
  { word, which }: { word: string; which: string },
  oneOf: Making["oneOf"],
  who: string,
): Value {
  const name = oneOf(["+1", "+1::skin-tone-3", "tada", "nowhere_known"]);
  made.reactions.push({ word, who, which, name });
  return { name, users: [who], count: 1 };
}
