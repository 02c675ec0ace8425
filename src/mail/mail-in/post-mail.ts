import { and, eq } from "drizzle-orm";
import { safeLine, withoutMentions } from "../../bots/incoming-webhooks/safe-text";
import { findChannel, invalidChannel } from "../../channels/queries";
import { requireTopicFits } from "../../channels/topics/posting";
import type { App, Context, Person, Tx } from "../../core/context";
import { isRefusal } from "../../core/errors";
import { siteOf } from "../../core/network/site";
import { makeRandomId } from "../../core/secrets/secrets";
import { isBlank, withoutHidden } from "../../core/text/hidden-characters";
import { write } from "../../core/write";
import { truncateContent } from "../../messages/rendering/source";
import { findPlace } from "../../messages/send/addressed-channel";
import {
  foreignWords,
  type PreparedMessage,
  prepareMessage,
  requireMaySend,
  sendPrepared,
} from "../../messages/send/send";
import { placeInChannel, storeMessage } from "../../messages/send/store";
import { renewContext } from "../../people/users/renew-context";
import { lengthsMax } from "../../protocol/limits";
import {
  attachReceivedIn,
  type ReceivedFile,
  receiveFile,
  uploadedAs,
  whileUnattached,
  whileUploading,
} from "../../uploads/service";
import type { MailFile, ReceivedMail } from "./read-mail";
import type { Recipient } from "./recipient";

const subjectMissing = "Mail without a subject";
const textMissing = "(This mail has no text.)";
const filesMax = 50;
/** Length of text that is kept where file names take the room: then some of these are left out. */
const textLengthMin = 1_000;

/**
 * Posts a mail as a message to the channel of its address, from the account with the sender's
 * address, with its files uploaded and linked; links in its text open no files. Announces the
 * events of `sendMessage`. A mail that was posted before is not posted again. Its text mentions
 * nobody. Refuses what a message of that sender would be refused for; the gateway bot needs no
 * permissions, but the channel must allow such a topic.
 */
export async function postMail(app: App, recipient: Recipient, mail: ReceivedMail): Promise<void> {
  const { channel, realm } = recipient;
  const place = [channel.id, recipient.sender.id, mail.identity].join(" ");
  const digest = new Bun.CryptoHasher("sha256").update(place).digest("hex");
  if (await isKnown(app, realm.id, digest)) return;
  const ctx = contextOf(app, recipient);
  const topic = channel.topicsPolicy === "empty_topic_only" ? "" : topicOf(mail);
  const to = { type: "stream", to: channel.id, topic } as const;
  if (mail.files.length > 0) await requireMayPostIn(ctx, recipient, to);
  const files: ReceivedFile[] = [];
  await whileUnattached(app, files, async () => {
    const content = await contentOf(ctx, recipient, mail, files);
    const prepared = await prepareMessage(ctx, { ...to, content }, { ...foreignWords, files });
    await write(ctx, async (tx) => {
      const { receivedMails } = tx.t;
      const values = { realmId: realm.id, digest, receivedAt: tx.now };
      const noted = await tx.db
        .insert(receivedMails)
        .values(values)
        .onConflictDoNothing()
        .returning();
      if (noted.length === 0) return;
      // The files and the message are one write, because a mail that is sent again brings them
      // again.
      await attachReceivedIn(tx, await renewContext(tx, ctx), files);
      if (recipient.sender.isSystemBot) await sendAsGateway(tx, ctx, recipient, prepared);
      else await sendPrepared(tx, ctx, prepared);
    });
  });
}

/**
 * Refuses a mail whose message would be refused, before its files take room. The write checks it
 * again.
 */
async function requireMayPostIn(
  ctx: Context<Person>,
  { sender }: Recipient,
  to: { type: "stream"; to: number; topic: string },
) {
  if (sender.isSystemBot) return;
  const prepared = await prepareMessage(ctx, { ...to, content: textMissing });
  await write(ctx, async (tx) => requireMaySend(tx, await renewContext(tx, ctx), prepared));
}

async function isKnown(
  { engine: { reader } }: App,
  realmId: number,
  digest: string,
): Promise<boolean> {
  const { receivedMails } = reader.t;
  const isIt = and(eq(receivedMails.realmId, realmId), eq(receivedMails.digest, digest));
  return (await reader.db.select().from(receivedMails).where(isIt)).length > 0;
}

function contextOf(app: App, { realm, sender }: Recipient): Context<Person> {
  return {
    app,
    realm,
    // No API key, because the message comes by mail.
    actor: { kind: sender.botType === null ? "user" : "bot", user: sender, apiKeyId: 0 },
    reader: app.engine.reader,
    now: app.clock.now(),
    client: "EmailGateway",
    requestId: makeRandomId(),
    url: siteOf({ app, realm }),
  };
}

/**
 * The gateway needs no permission of its own, because only people with the permission to post get
 * the address.
 */
async function sendAsGateway(
  tx: Tx,
  ctx: Context<Person>,
  { channel: { id, realmId } }: Recipient,
  prepared: PreparedMessage,
) {
  const renewed = await renewContext(tx, ctx);
  const channel = await findChannel(tx, realmId, id);
  if (!channel || channel.isArchived) throw invalidChannel({ id });
  const named = { channel: { id }, topic: "topic" in prepared.to ? prepared.to.topic : "" };
  const { topic } = await findPlace(tx, { realmId, userId: renewed.actor.user.id }, named);
  requireTopicFits(renewed, channel, topic);
  const place = placeInChannel(channel, topic);
  await storeMessage(tx, renewed, {
    sender: renewed.actor.user,
    place,
    ...prepared,
    local: undefined,
  });
}

const topicOf = ({ subject }: ReceivedMail) => {
  const line = subject.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return isBlank(withoutHidden(line)) ? subjectMissing : line;
};

async function contentOf(
  ctx: Context<Person>,
  { options, sender }: Recipient,
  mail: ReceivedMail,
  files: ReceivedFile[],
): Promise<string> {
  const text = (await mail.text(options)) || textMissing;
  const { name, address } = mail.from;
  const isSenderShown = (options.showSender || sender.isSystemBot) && address !== "";
  const from = isSenderShown
    ? `From: ${safeLine(name === "" ? address : `${name} <${address}>`)}\n\n`
    : "";
  const links = await receiveAll(ctx, mail.files, files);
  const room = Math.max(textLengthMin, lengthsMax.message - [...from, ...links].length);
  const shown = withoutMentions(text.slice(0, 2 * room + 2), room);
  return `${from}${truncateContent(shown, room)}${links}`;
}

/**
 * The links to the files of a mail, one in a line, and in `received` the files, which have no rows
 * yet. A refused file is named with the reason.
 */
async function receiveAll(
  ctx: Context<Person>,
  files: readonly MailFile[],
  received: ReceivedFile[],
): Promise<string> {
  const lines: string[] = [];
  for (const file of files.slice(0, filesMax)) lines.push(await receiveOne(ctx, file, received));
  if (files.length > filesMax) lines.push(`${files.length - filesMax} more files were left out.`);
  return lines.length === 0 ? "" : `\n\n${lines.join("\n")}`;
}

async function receiveOne(
  ctx: Context<Person>,
  { name, content }: MailFile,
  received: ReceivedFile[],
): Promise<string> {
  async function* chunks() {
    yield content;
  }
  async function* parts() {
    yield { name: "file", filename: name, chunks: chunks() };
  }
  try {
    const receiving = () => receiveFile(ctx, { parts });
    const file = await whileUploading(ctx.app, ctx.actor.user.id, receiving);
    received.push(file);
    const { url, filename } = uploadedAs(file.pathId, file.name);
    return `[${safeLine(filename)}](${url})`;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return `${safeLine(name)}: ${error.message}`;
  }
}
