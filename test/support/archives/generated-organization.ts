import { seededRandom } from "../../crash/seeded-random";

type Value = Record<string, unknown>;

/** Choices that depend only on a seed. */
function choicesOf(seed: number) {
  const random = seededRandom(seed);
  const upTo = (count: number) => Math.floor(random() * count);
  const isSo = (share = 0.5) => random() < share;
  return {
    isSo,
    oneOf: <One>(list: readonly [One, ...One[]]): One => list[upTo(list.length)] ?? list[0],
    some: <One>(list: readonly One[]) => list.filter(() => isSo(0.4)),
    many: <One>(most: number, make: (index: number) => One) =>
      Array.from({ length: upTo(most + 1) }, (_, index) => make(index)),
  };
}

type Choices = ReturnType<typeof choicesOf>;

/**
 * An organization's file from a seed, as its value; it contains names that YAML would read as other
 * types.
 */
export function generateOrganization(seed: number, host: string): Value {
  const choices = choicesOf(seed);
  const { isSo, oneOf, many } = choices;
  const users = makeUsers(choices);
  const emails = users.map(({ email }) => email);
  const bots = makeBots(choices);
  const folders = many(2, (index) => ({ name: `Folder ${index}`, description: oneOf(["", "~"]) }));
  const addresses = [...emails, ...bots.map(({ email }) => email)];
  const channels = makeChannels(choices, addresses, folders[0]?.name);
  return {
    realm: makeRealm(choices, { host, channel: channels[0]?.name, emails }),
    users,
    bots,
    groups: makeGroups(choices, emails),
    channels,
    domains: many(2, (index) => ({ domain: `d${index}.example.com`, allow_subdomains: isSo() })),
    linkifiers: many(2, (index) => ({
      pattern: `#${index}(?P<id>[0-9]+)`,
      url_template: "https://example.com/{id}",
    })),
    playgrounds: many(1, () => ({
      name: "Try it",
      language: "Rust",
      url_template: "https://example.com/?code={code}",
    })),
    profile_fields: many(3, (index) => makeField(choices, index)),
    folders,
    default_groups: many(2, (index) => ({
      name: `For ${index}`,
      description: oneOf(["", "~"]),
      channels: channels
        .filter((one) => !(one.private || ("default" in one && one.default)) && isSo())
        .map(({ name }) => name),
    })),
  };
}

const makeUsers = ({ oneOf, many }: Choices) =>
  [0, ...many(12, (index) => index + 1)].map((index) => ({
    email: `p${index}@example.com`,
    name: oneOf(["Ann", "no", "1e3", "Zoë Ø", "Ada: the # first", "'quoted'"]) + index,
    role: index === 0 ? "owner" : oneOf(["owner", "administrator", "moderator", "member", "guest"]),
  }));

const makeBots = ({ oneOf, many }: Choices) =>
  many(3, (index) => ({
    email: `b${index}-bot@example.com`,
    name: `Bot ${index}`,
    owner: "p0@example.com",
    ...oneOf<Value>([
      { kind: "generic" },
      { kind: "incoming-webhook" },
      { kind: "outgoing-webhook", payload_url: "https://example.com/hook", interface: "slack" },
    ]),
  }));

const makeGroups = ({ isSo, oneOf, some }: Choices, emails: string[]) =>
  some(["devs", "null", "café", "a: b", "yes"]).map((name, index, all) => ({
    name,
    description: oneOf(["", "true", "people # who"]),
    members: some(emails),
    subgroups: some(all.slice(0, index)),
    permissions: isSo()
      ? { can_mention_group: oneOf<string | string[]>(["role:members", ["p0@example.com"]]) }
      : {},
  }));

const makeHolders = ({ oneOf, some }: Choices, emails: string[]) =>
  oneOf<string | string[]>(["role:moderators", "role:nobody", some(emails), ["p0@example.com"]]);

const makeChannels = (choices: Choices, addresses: string[], folder: string | undefined) =>
  choices.many(5, (index) => {
    const { isSo, oneOf, some } = choices;
    const isPrivate = isSo(0.4);
    return {
      name: oneOf(["general", "off", "0x1f", "straße", "- dash"]) + index,
      description: oneOf(["", "**bold**", "about: it", "two\nlines"]),
      private: isPrivate,
      ...(isPrivate ? { shared_history: isSo() } : { default: isSo() }),
      ...(isSo(0.3) ? { retention: oneOf<number | string>([7, 30, "unlimited"]) } : {}),
      ...(isSo(0.3) && folder ? { folder } : {}),
      ...(isSo(0.3) ? { topics_policy: "disable_empty_topic" } : {}),
      ...(isSo()
        ? { permissions: { can_send_message_group: makeHolders(choices, addresses) } }
        : {}),
      subscribers: isSo(0.3) ? "all" : some(addresses),
    };
  });

const makeRealm = (
  choices: Choices,
  { host, channel, emails }: { host: string; channel: string | undefined; emails: string[] },
) => {
  const { isSo, oneOf } = choices;
  return {
    name: oneOf(["Acme", "007", "Ünïcode"]),
    host,
    settings: {
      invite_required: isSo(),
      description: oneOf(["", "no", "Where: we # talk"]),
      message_content_edit_limit_seconds: oneOf<number | string>([60, "unlimited"]),
      can_create_groups: makeHolders(choices, emails),
      ...(channel === undefined ? {} : { new_stream_announcements_stream_id: channel }),
    },
    user_defaults: { enter_sends: isSo(), color_scheme: oneOf([1, 2]) },
  };
};

const makeField = ({ isSo, oneOf }: Choices, index: number) =>
  oneOf<Value>([
    { name: `Title ${index}`, type: "short_text", required: isSo() },
    { name: `Day ${index}`, type: "date", display_in_profile_summary: index < 2 && isSo() },
    {
      name: `Size ${index}`,
      type: "dropdown",
      field_data: { "0": { text: "S", order: "1" }, b: { text: "L", order: "2" } },
      editable_by_user: isSo(),
    },
  ]);
