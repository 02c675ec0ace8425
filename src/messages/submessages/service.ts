import { and, asc, count, eq } from "drizzle-orm";
import type { Context, Person, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { bytesOfTexts, sumOfBytes } from "../../core/own-texts";
import { type Input, id, record, text } from "../../core/params";
import { onlyRow, write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { loadChangeableMessage } from "../../reading/changeable";
import { actorOutside, audienceOf, mentionedBotsOutside } from "../../reading/message-audience";
import { checkWidgetData, widgetType } from "./checks";
import { submessageAdded } from "./events";

export const AddSubmessage = record({ messageId: id(), msgType: text(), content: text() });

/** Tells the presenter that the event needs no check while nothing has moved since. */
const live = {};

/** Of one submessage, in UTF-16 units. */
const contentLengthMax = 10_000;
/**
 * Most submessages of a message, and their bytes together, because the message contains all of
 * them.
 */
const submessagesMax = 5_000;
const allBytesMax = 500_000;

/**
 * Uses the widget of a message that the actor may read, for example votes in a poll or completes a
 * task. Event: submessage, to everybody who received the message and may read it. Refuses
 * (BAD_REQUEST) a message that is missing, not readable or in an archived channel, one without a
 * widget, and content that the widget does not allow; only its author may change a widget's title.
 * Source: recorded behaviour of the reference server.
 */
export async function addSubmessage(
  ctx: Context<Person>,
  { messageId, msgType, content }: Input<typeof AddSubmessage>,
): Promise<undefined> {
  if (msgType !== "widget") throw badRequest("msg_type must be 'widget'.");
  if (content.length > contentLengthMax)
    throw badRequest(`content has at most ${contentLengthMax} characters.`);
  await write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const { realm, actor } = current;
    const { message, channel } = await loadChangeableMessage(tx, current, messageId);
    const type = await loadWidgetType(tx, realm.id, messageId, bytesOfTexts(content));
    checkWidgetData(type, content, message.senderId === actor.user.id);
    const row = { realmId: realm.id, messageId, senderId: actor.user.id, msgType, content };
    const { submessages } = tx.t;
    const inserted = onlyRow(
      await tx.db.insert(submessages).values(row).returning({ id: submessages.id }),
    );
    const event = submessageAdded({
      msg_type: msgType,
      message_id: messageId,
      submessage_id: inserted.id,
      sender_id: actor.user.id,
      content,
    });
    const audience = await audienceOf(tx, realm.id, message);
    await tx.emit(audience, event, live);
    if (!channel) return;
    const bots = await mentionedBotsOutside(tx, channel, [messageId]);
    const outsiders = new Set([
      ...bots.map(({ userId }) => userId),
      ...(await actorOutside(tx, current, channel)),
    ]);
    if (outsiders.size > 0) await tx.emit({ to: "users", ids: [...outsiders] }, event, live);
  });
}

/** Refuses a message without a widget, and one that has the most submessages. */
async function loadWidgetType(
  tx: Tx,
  realmId: number,
  messageId: number,
  moreBytes: number,
): Promise<string> {
  const { submessages } = tx.t;
  const isOfIt = and(eq(submessages.realmId, realmId), eq(submessages.messageId, messageId));
  const [first] = await tx.db
    .select()
    .from(submessages)
    .where(isOfIt)
    .orderBy(asc(submessages.id))
    .limit(1);
  if (!first) throw badRequest("You cannot attach a submessage to this message: it has no widget.");
  const measured = { count: count(), bytes: sumOfBytes(submessages.content) };
  const [all] = await tx.db.select(measured).from(submessages).where(isOfIt);
  if (all && (all.count >= submessagesMax || all.bytes + moreBytes > allBytesMax)) {
    throw badRequest("Nothing more can be added to this message: begin a new one.");
  }
  return widgetType(first.content);
}
