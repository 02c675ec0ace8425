/**
 * Fills the database of a stopped chatd in one transaction: people, a channel of all of them,
 * messages with their log. `bun seed.ts (--data DIR | --database postgres://…) --credentials FILE
 * [--users N] [--messages N] [--keys N] [--channels N] [--unread-people N] [--unread]`. `--keys`
 * gives that many of the new people an API key and appends them to the credentials file. With
 * `--unread` the first people have not read the newest messages, as many as `unreadCounts` says.
 */
import { Database } from "bun:sqlite";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { SQL } from "bun";
import { databaseFile } from "../../db/open";
import { makeApiKey, makeSecrets } from "../../src/core/secrets/secrets";
import {
  crowdChannel,
  messagesChannel,
  smallChannel,
  smallChannelMembers,
  topicCount,
  unreadCounts,
} from "./seeding";

type Row = Record<string, unknown>;
type Run = (sql: string, ...values: (string | number)[]) => Promise<Row[]>;

const keysPerStatement = 200;

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: "" },
    database: { type: "string", default: "" },
    credentials: { type: "string", default: "credentials.json" },
    users: { type: "string", default: "0" },
    messages: { type: "string", default: "0" },
    keys: { type: "string", default: "0" },
    channels: { type: "string", default: "0" },
    "unread-people": { type: "string", default: "0" },
    unread: { type: "boolean", default: false },
  },
});

async function numberOf(run: Run, sql: string, ...values: (string | number)[]): Promise<number> {
  const [row] = await run(sql, ...values);
  return Number(Object.values(row ?? {})[0] ?? 0);
}

const counting = (count: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;

async function addUsers(run: Run, realmId: number, count: number): Promise<void> {
  if (count <= 0) return;
  await run(
    `INSERT INTO users (realm_id, email, email_key, full_name, role, created_at) ${counting(count)}
     SELECT ${realmId}, 'seed' || i || '@example.com', 'seed' || i || '@example.com', 'Seeded ' || i, 400, 1700000000 FROM n`,
  );
}

/** A public channel with the first `members` people of the realm in it, by id. */
async function addChannel(run: Run, realmId: number, name: string, members: number): Promise<void> {
  const id = await numberOf(
    run,
    `INSERT INTO channels (realm_id, name, name_key, description, rendered_description, invite_only,
       history_public_to_subscribers, created_at)
     VALUES (${realmId}, '${name}', '${name}', '', '', false, true, 1700000000) RETURNING id`,
  );
  const people = `FROM users WHERE realm_id = ${realmId} AND NOT is_system_bot ORDER BY id LIMIT ${members}`;
  await run(
    `INSERT INTO subscriptions (realm_id, user_id, channel_id, is_active, color)
     SELECT realm_id, id, ${id}, true, '#76ce90' ${people}`,
  );
  await run(
    `INSERT INTO subscription_periods (realm_id, user_id, channel_id, from_message, from_log)
     SELECT realm_id, id, ${id}, 0, 0 ${people}`,
  );
}

/**
 * Public channels, each with a tenth of the realm's people in it; so everybody is in a tenth of
 * them.
 */
async function addSmallerChannels(run: Run, realmId: number, count: number): Promise<void> {
  if (count <= 0) return;
  await run(
    `INSERT INTO channels (realm_id, name, name_key, description, rendered_description, invite_only,
       history_public_to_subscribers, created_at) ${counting(count)}
     SELECT ${realmId}, 'seeded ' || i, 'seeded ' || i, 'What is said about ' || i, '<p>What is said about ' || i || '</p>',
       false, true, 1700000000 FROM n`,
  );
  const joined = `FROM users u JOIN channels c ON c.realm_id = u.realm_id AND c.name LIKE 'seeded %'
     WHERE u.realm_id = ${realmId} AND NOT u.is_system_bot AND (u.id + c.id) % 10 = 0`;
  await run(
    `INSERT INTO subscriptions (realm_id, user_id, channel_id, is_active, color)
     SELECT u.realm_id, u.id, c.id, true, '#76ce90' ${joined}`,
  );
  await run(
    `INSERT INTO subscription_periods (realm_id, user_id, channel_id, from_message, from_log)
     SELECT u.realm_id, u.id, c.id, 0, 0 ${joined}`,
  );
}

/**
 * Messages from the people who were there before, in turns, spread over a few topics; all but the
 * last of them have read them.
 */
async function addMessages(
  run: Run,
  realmId: number,
  senders: number,
  count: number,
  unread: number,
): Promise<void> {
  if (count <= 0) return;
  const channelId = await numberOf(
    run,
    `SELECT id FROM channels WHERE realm_id = ${realmId} AND name = '${messagesChannel}'`,
  );
  await run(
    `INSERT INTO messages (realm_id, sender_id, channel_id, sent_channel_id, placed_at, topic, topic_key, content,
       rendered_content, client, sent_at, read_by_sender)
     ${counting(count)}, people(k, id) AS (
       SELECT row_number() OVER (ORDER BY id) - 1, id FROM users WHERE realm_id = ${realmId} AND NOT is_system_bot
         ORDER BY id LIMIT ${senders})
     SELECT ${realmId}, people.id, ${channelId}, ${channelId}, 0, 'topic' || (i % ${topicCount}), 'topic' || (i % ${topicCount}),
       'stored ' || i || ' the build is **green** again, thank you all for the help',
       '<p>stored ' || i || ' the build is <strong>green</strong> again, thank you all for the help</p>',
       'bench', 1700000000 + i, false
     FROM n JOIN people ON people.k = i % ${senders} ORDER BY i`,
  );
  await run(
    `INSERT INTO event_log (realm_id, type, audience, body, created_at)
     SELECT realm_id, 'message', '{"to":"subscribers","channelId":${channelId},"isPrivate":false}',
       '{"type":"message","message_id":' || id || '}', sent_at FROM messages WHERE realm_id = ${realmId} ORDER BY id`,
  );
  await run(
    `INSERT INTO read_watermarks (realm_id, user_id, scope, read_up_to)
     SELECT realm_id, user_id, ${channelId}, (SELECT max(id) FROM messages) FROM subscriptions
     WHERE realm_id = ${realmId} AND channel_id = ${channelId} AND user_id NOT IN (
       SELECT id FROM users WHERE realm_id = ${realmId} AND email_key LIKE 'user%' ORDER BY id DESC LIMIT ${unread})`,
  );
  await run(
    `UPDATE channels SET first_message_id = (SELECT min(id) FROM messages) WHERE realm_id = ${realmId} AND id = ${channelId}`,
  );
}

/**
 * Moves the watermarks of the first people who can sign in back, as far as there are so many
 * messages.
 */
async function leaveUnread(run: Run, realmId: number): Promise<void> {
  const { users } = JSON.parse(readFileSync(flags.credentials, "utf8")) as { users: Signed[] };
  for (const [index, count] of unreadCounts.entries()) {
    await run(
      `UPDATE read_watermarks SET read_up_to = CASE WHEN read_up_to > ${count} THEN read_up_to - ${count} ELSE 0 END
       WHERE realm_id = ${realmId} AND scope > 0 AND user_id = ${users[index]?.user_id ?? 0}`,
    );
  }
}

type Signed = {
  email: string;
  full_name: string;
  user_id: number;
  api_key: string;
  is_bot: boolean;
};

/** API keys for the newest people, as `chatd serve --credentials` writes them. */
async function addKeys(run: Run, realmId: number, count: number): Promise<Signed[]> {
  const secrets = makeSecrets(process.env["CHATD_SECRET"] ?? "");
  const rows = await run(
    `SELECT id, email, full_name FROM users WHERE realm_id = ${realmId} AND email_key LIKE 'seed%' ORDER BY id LIMIT ${count}`,
  );
  const signed = rows.map((row) => ({
    email: String(row["email"]),
    full_name: String(row["full_name"]),
    user_id: Number(row["id"]),
    api_key: makeApiKey(),
    is_bot: false,
  }));
  for (let start = 0; start < signed.length; start += keysPerStatement) {
    const values = signed
      .slice(start, start + keysPerStatement)
      .map(
        ({ user_id, api_key }) =>
          `(${realmId}, ${user_id}, '${secrets.hashApiKey(api_key)}', 'bench', 1700000000)`,
      );
    await run(
      `INSERT INTO api_keys (realm_id, user_id, hash, label, created_at) VALUES ${values.join(",")}`,
    );
  }
  return signed;
}

async function seed(run: Run): Promise<Signed[]> {
  const realmId = await numberOf(run, "SELECT min(id) FROM realms");
  const present = await numberOf(
    run,
    `SELECT count(*) FROM users WHERE realm_id = ${realmId} AND NOT is_system_bot`,
  );
  await addUsers(run, realmId, Number(flags.users) - present);
  await addChannel(run, realmId, smallChannel, smallChannelMembers);
  await addChannel(run, realmId, crowdChannel, Math.max(Number(flags.users), present));
  await addSmallerChannels(run, realmId, Number(flags.channels));
  await addMessages(run, realmId, present, Number(flags.messages), Number(flags["unread-people"]));
  if (flags.unread) await leaveUnread(run, realmId);
  return addKeys(run, realmId, Number(flags.keys));
}

async function seedSqlite(path: string): Promise<Signed[]> {
  const file = new Database(path, { readwrite: true });
  file.run("PRAGMA cache_size = -200000");
  file.run("BEGIN IMMEDIATE");
  const signed = await seed(async (sql, ...values) =>
    file.query<Row, (string | number)[]>(sql).all(...values),
  );
  file.run("COMMIT");
  file.run("PRAGMA wal_checkpoint(TRUNCATE)");
  file.close();
  return signed;
}

async function seedPostgres(url: string): Promise<Signed[]> {
  const client = new SQL(url, { max: 1 });
  const signed = await client.begin((tx) => seed(async (sql, ...values) => tx.unsafe(sql, values)));
  await client.unsafe("VACUUM ANALYZE");
  await client.close();
  return signed;
}

const signed =
  flags.database === ""
    ? await seedSqlite(databaseFile(flags.data))
    : await seedPostgres(flags.database);
if (signed.length > 0) {
  const file = JSON.parse(readFileSync(flags.credentials, "utf8")) as { users: Signed[] };
  writeFileSync(flags.credentials, JSON.stringify({ ...file, users: [...file.users, ...signed] }));
}
