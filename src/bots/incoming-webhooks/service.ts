import { type Static, Type } from "@sinclair/typebox";
import type { Context, Person } from "../../core/context";
import type { Connection } from "../../core/endpoint";
import { type ApiError, isRefusal, notFound } from "../../core/errors";
import { either, flag, type Input, optional, record, text, texts } from "../../core/params";
import { write } from "../../core/write";
import { foreignWords, sendWords } from "../../messages/send/send";
import { isOwnerTold, namesSomething, sendOwnerNotice } from "../owner-notice";
import { integrations, plainIntegrations } from "./catalog";
import { type Composed, composeByTemplate, composeEvent, composeJson } from "./compose";
import type { Integration } from "./integration";
import { type PostedText, parsePayload, readPosted } from "./payload";
import { passesFilter } from "./post-filter";
import { findSealedSecret, findTemplate } from "./queries";
import { codeLine, cut, quoteBlock } from "./safe-text";
import { secretPurpose } from "./secrets";
import { requireSignature } from "./signature";
import { type Message, readSlackMessage, slackTitle } from "./slack";

const inAddress = {
  stream: optional(text()),
  topic: optional(text()),
  onlyEvents: optional(either(texts(), text())),
  excludeEvents: optional(either(texts(), text())),
  branches: optional(either(texts(), text())),
  ignorePrivateRepositories: optional(flag()),
};

export const ReceiveWebhook = record({ integration: text(), apiKey: text(), ...inAddress });

export const AskBeforePosting = record({
  integration: text(),
  apiKey: optional(text()),
  ...inAddress,
});

/**
 * Answers a service that checks an address with HEAD, as Trello does before it saves the address.
 * Every address gets an equal answer, whether or not its key exists, so that nobody can search for
 * keys.
 */
export async function allowPosting(): Promise<undefined> {
  return undefined;
}

/** Answer to a service that posts. An unknown event is ignored, and the answer names it. */
export const TakenPost = Type.Object({
  ok: Type.Optional(
    Type.Literal(true, { description: "Slack's own word for success, for posts in its form." }),
  ),
  code: Type.Optional(Type.Literal("UNSUPPORTED_WEBHOOK_EVENT_TYPE")),
  webhook_name: Type.Optional(Type.String({ description: "With `code`." })),
  event_type: Type.Optional(Type.String({ description: "With `code`." })),
  id: Type.Optional(
    Type.Integer({ description: "The bot's, for a service that asks whose key it has." }),
  ),
  email: Type.Optional(Type.String({ description: "With `id`." })),
  full_name: Type.Optional(Type.String({ description: "With `id`." })),
});

type Asked = Input<typeof ReceiveWebhook>;
type Place = Pick<Asked, "stream" | "topic">;
type Posting = Pick<Connection, "header" | "body" | "target">;

/**
 * Makes a message of a service's post: in a channel, in the topic of the payload or of the address,
 * or, where no channel is named, to the owner of the bot, as every message with a secret of the
 * service's is. Announces the events of `sendMessage`, but links open no files (`mayOpenFile`). A
 * post that the address excludes, or that has no message, is answered with success. Refuses an
 * unknown integration (NOT_FOUND), a missing or wrong signature where the bot has a secret, a body
 * that is not JSON (BAD_REQUEST), and posts that `composeEvent` or `sendMessage` refuses.
 * Notification Bot tells the owner what `sendMessage` refuses in a channel.
 */
export async function receiveWebhook(
  ctx: Context<Person>,
  asked: Asked,
  posting: Posting,
): Promise<Static<typeof TakenPost>> {
  const compose = await loadComposer(ctx, asked.integration);
  const body = await posting.body();
  const text = await readPosted(body, posting.header);
  await requireSigned(ctx, asked.integration, { body, text }, posting);
  const payload = parsePayload(text);
  const composed = compose.run(payload, posting);
  const { message, isForOwner = false } = composed;
  const client = `${compose.title}Webhook`;
  const parameters = compose.escapesTwice ? unescaped(asked) : asked;
  if (message && isForOwner) await postMessage({ ...ctx, client }, {}, message);
  else if (message && passesFilter(composed, parameters))
    await postMessage({ ...ctx, client }, parameters, message);
  const { header } = posting;
  const introduction = compose.introduce?.({ payload, header }, ctx.actor.user);
  if (introduction) return introduction;
  return asked.integration === plainIntegrations.slack ? { ok: true } : {};
}

/** Makes messages of the posts to an address, with a title. */
interface Composer extends Pick<Integration, "introduce" | "escapesTwice"> {
  title: string;
  run(payload: unknown, posting: Posting): Composed;
}

/**
 * An organization's own template goes before a service of its name, because a version that
 * knows more services must not change what its posts look like.
 */
async function loadComposer({ reader, realm }: Context, name: string): Promise<Composer> {
  const template = await findTemplate(reader, realm.id, name);
  if (template)
    return { title: "Template", run: (payload) => composeByTemplate(template, payload) };
  const integration = integrations.get(name);
  if (integration) {
    const title = integration.title.replaceAll(" ", "");
    const { introduce, escapesTwice } = integration;
    const run: Composer["run"] = (payload, { header }) =>
      composeEvent(integration, { payload, header });
    return { title, run, ...(introduce && { introduce }), ...(escapesTwice && { escapesTwice }) };
  }
  if (name === plainIntegrations.slack)
    return { title: slackTitle, run: (payload) => ({ message: readSlackMessage(payload) }) };
  if (name === plainIntegrations.json) return { title: "JSON", run: composeJson };
  throw notFound("There is no such integration: check the URL to which the service posts.");
}

async function requireSigned(
  ctx: Context<Person>,
  name: string,
  posted: { body: Uint8Array; text: PostedText },
  { header, target }: Posting,
) {
  const scheme = integrations.get(name)?.signature;
  if (!scheme) return;
  const { app, actor, realm, reader, now } = ctx;
  const sealed = await findSealedSecret(reader, realm.id, actor.user.id, name);
  if (sealed === undefined) return;
  requireSignature(
    scheme,
    { ...posted, address: `${ctx.url}${target}`, header, now },
    app.secrets.open(secretPurpose(actor.user.id, name), sealed),
  );
}

/** The names of an address without the second escapes of a sender that escapes twice. */
const unescaped = ({ stream, topic, branches, ...others }: Asked): Asked => ({
  ...others,
  ...(stream === undefined ? {} : { stream: unescapedText(stream) }),
  ...(topic === undefined ? {} : { topic: unescapedText(topic) }),
  ...(branches === undefined
    ? {}
    : {
        branches:
          typeof branches === "string" ? unescapedText(branches) : branches.map(unescapedText),
      }),
});

/** A text with a `%` of its own, such as `100% soup`, was not escaped: it stays as it is. */
function unescapedText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const topicLengthMax = 60;

async function postMessage(ctx: Context<Person>, { stream = "", topic }: Place, message: Message) {
  const { user } = ctx.actor;
  const content = message.text;
  if (stream.trim() === "") {
    const to = [user.botOwnerId ?? user.id];
    await sendWords(ctx, { type: "direct", to, content }, foreignWords);
    return;
  }
  const to = /^\d{1,15}$/.test(stream) ? Number(stream) : stream;
  const topicOfPost = topic ?? cut(message.topic, topicLengthMax);
  try {
    await sendWords(ctx, { type: "stream", to, topic: topicOfPost, content }, foreignWords);
  } catch (error) {
    if (isRefusal(error)) await tellOwnerOfRefusal(ctx, stream, error);
    throw error;
  }
}

/**
 * Tells the bot's owner of a post that was refused, because many services show nobody the answer.
 * A refusal that names something may name a channel that the owner does not know: it is left out.
 */
async function tellOwnerOfRefusal(ctx: Context<Person>, stream: string, error: ApiError) {
  if (isOwnerTold(ctx, ctx.actor.user.id, ctx.app.clock.now())) return;
  const why = namesSomething(error) ? "" : `\n\n${quoteBlock(error.message)}`;
  await write(ctx, (tx) =>
    sendOwnerNotice(
      tx,
      ctx,
      ctx.actor.user.id,
      (named) => `A post for the channel ${codeLine(stream)} ${named} was refused.${why}`,
    ),
  );
}
