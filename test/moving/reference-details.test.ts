import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { findRealmByHost } from "../../src/realm/queries";
import { backupFolder } from "../support/archives/backups";
import { exportedRealm } from "../support/archives/reference-export";
import { importedHost, importReference } from "../support/archives/reference-import";
import { staticPng } from "../support/pictures";

const { folder, remove } = backupFolder();
afterAll(remove);

type Row = Record<string, unknown>;

const rowsOf = (table: string) => [exportedRealm[table]].flat() as Row[];

const filePath = "5/ab/AbCdEfGhIjKlMnOpQrStUvWx/menu.txt";
const link = `[menu](/user_uploads/${filePath})`;
const longest = `${link} ${"x".repeat(10_000 - link.length - 1)}`;

/** A message of somebody, in the channel general. */
const message = (id: number, sender: number, content: string) => ({
  id,
  sender,
  recipient: 231,
  subject: "details",
  content,
  sending_client: 3,
  date_sent: 1_600_005_000,
});

const reaction = (messageId: number, emoji_code: string) => ({
  message: messageId,
  user_profile: 11,
  emoji_name: "tuffy",
  emoji_code,
  reaction_type: "realm_emoji",
});

const entries = {
  "realm.json": {
    ...exportedRealm,
    zerver_realm: rowsOf("zerver_realm").map((one) => ({
      ...one,
      icon_source: "U",
      logo_source: "U",
      night_logo_source: "D",
    })),
    zerver_userprofile: rowsOf("zerver_userprofile").map((one) =>
      one["id"] === 15
        ? {
            ...one,
            default_sending_stream: 31,
            default_events_register_stream: 99,
            default_all_public_streams: true,
          }
        : one,
    ),
    zerver_customprofilefield: rowsOf("zerver_customprofilefield").map((one) => ({
      ...one,
      use_for_user_matching: true,
    })),
    zerver_realmemoji: [
      ...rowsOf("zerver_realmemoji"),
      { id: 54, name: "tuffy", file_name: "54.png", author: 11, deactivated: true },
    ],
    zerver_userstatus: [
      {
        user_profile: 12,
        status_text: "",
        emoji_name: "tuffy",
        emoji_code: "54",
        reaction_type: "realm_emoji",
      },
    ],
    zerver_reaction: [
      reaction(1_002, "54"),
      reaction(1_002, "51"),
      reaction(1_002, "59"),
      reaction(1_009, "51"),
    ],
  },
  "emoji/5/emoji/images/54.png": staticPng,
  "messages-000003.json": { zerver_message: [message(1_013, 11, longest)], zerver_usermessage: [] },
  "realm_icons/records.json": ["icon.original", "logo.png", "night_logo.png"].map((name) => ({
    realm_id: 5,
    path: `5/${name}`,
  })),
  "realm_icons/5/icon.original": staticPng,
  "realm_icons/5/logo.png": "no picture",
  "realm_icons/5/night_logo.png": staticPng,
};

let usual: Awaited<ReturnType<typeof importReference>>;
beforeAll(async () => {
  usual = await importReference(join(folder, "export.tar.gz"), entries);
});
afterAll(() => usual.world.close());

test("reactions and statuses keep their emoji by its id, also if it is deactivated or replaced", async () => {
  const { state, person, report } = usual;
  const emoji = Object.values(state.realm_emoji as Record<string, Row>);
  const idOf = (isOff: boolean) =>
    String(
      emoji.find(({ name, deactivated }) => name === "tuffy" && deactivated === isOff)?.["id"],
    );
  const page = { anchor: "oldest", num_before: 0, num_after: 100, narrow: [] };
  const { messages } = (await person("ann")?.get("/messages", page))?.body ?? {};
  const codes = (messages as Row[]).flatMap(({ reactions }) =>
    (reactions as Row[]).map(({ emoji_code }) => emoji_code),
  );
  expect(codes.toSorted()).toEqual([idOf(false), idOf(true)].toSorted());
  const ben = (state.realm_users as Row[]).find((one) => one["full_name"] === "Ben")?.["user_id"];
  expect(state.user_status).toEqual({
    [String(ben)]: {
      emoji_name: "tuffy",
      emoji_code: idOf(true),
      reaction_type: "realm_emoji",
    },
  });
  expect(report.skipped).toMatchObject({
    "zerver_reaction: have an unknown emoji, message or person": 2,
  });
});

test("a message of the greatest length is imported, although the address of its file is longer here", async () => {
  const page = { anchor: "newest", num_before: 1, num_after: 0, narrow: [], apply_markdown: false };
  const { messages } = (await usual.person("ann")?.get("/messages", page))?.body ?? {};
  expect(messages[0].content).toEndWith("x".repeat(9_000));
  expect(messages[0].content.length).toBeGreaterThan(10_000);
});

test("no reaction stays of a message that is left out", async () => {
  const { db, t } = usual.world.app.engine.reader;
  const realm = await findRealmByHost(usual.world.app.engine.reader, importedHost);
  const isHere = eq(t.reactions.realmId, realm?.id ?? 0);
  const sent = await db
    .select()
    .from(t.messages)
    .where(eq(t.messages.realmId, realm?.id ?? 0));
  const reactions = await db.select().from(t.reactions).where(isHere);
  const named = new Set(reactions.map(({ messageId }) => messageId));
  expect(reactions).toHaveLength(2);
  expect(named.size).toBe(1);
  expect(sent.filter(({ id }) => named.has(id))).toHaveLength(1);
});

test("the organization keeps its icon, and what is no picture is reported", async () => {
  const { state, person, report } = usual;
  expect([state.realm_icon_source, state.realm_logo_source, state.realm_night_logo_source]).toEqual(
    ["U", "D", "D"],
  );
  const icon = await person("ann")?.open(state.realm_icon_url);
  expect(icon?.headers.get("content-type")).toBe("image/png");
  expect(report.skipped).toMatchObject({ "realm_icons: are no pictures": 1 });
});

test("bots keep their default channels, and profile fields by whose texts people are found stay so", async () => {
  const { state, person } = usual;
  const { bots } = (await person("ben")?.get("/bots"))?.body ?? {};
  expect(bots).toMatchObject([
    {
      default_sending_stream: "general",
      default_events_register_stream: null,
      default_all_public_streams: true,
    },
  ]);
  expect(
    state.custom_profile_fields.map((one: Row) => [one["name"], one["use_for_user_matching"]]),
  ).toEqual([
    ["Food", true],
    ["Friends", undefined],
  ]);
});
