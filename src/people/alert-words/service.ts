import { type Static, Type } from "@sinclair/typebox";
import { and, eq, inArray } from "drizzle-orm";
import { inChunks } from "../../core/chunks";
import type { Context, Person, RealmRow, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { type Input, record, texts } from "../../core/params";
import { isLonger } from "../../core/text/name";
import { write } from "../../core/write";
import { lengthsMax } from "../../protocol/limits";
import { renewContext } from "../users/renew-context";
import { alertWordsChanged } from "./events";
import { listAlertWords } from "./queries";

export const ListAlertWords = record({});
export const ChangeAlertWords = record({ alertWords: texts() });

export const AlertWords = record({ alert_words: Type.Array(Type.String()) });
type AlertWords = Static<typeof AlertWords>;

/** Most alert words of a person, because each message is searched for all of them. */
const wordsMax = 500;

/** The actor's alert words. */
export async function listOwnAlertWords({
  reader,
  realm,
  actor,
}: Context<Person>): Promise<AlertWords> {
  return { alert_words: await listAlertWords(reader, realm.id, actor.user.id) };
}

/**
 * Adds alert words of the actor's, and answers all of them. Words that differ only by case are one,
 * which keeps its first spelling. Announces `alert_words` to the actor's clients. Refuses words
 * that are too long or too many.
 */
export async function addAlertWords(
  ctx: Context<Person>,
  { alertWords: given }: Input<typeof ChangeAlertWords>,
): Promise<AlertWords> {
  const words = clean(given);
  if (words.some((word) => isLonger(word, lengthsMax.alertWord))) {
    throw badRequest(`An alert word has at most ${lengthsMax.alertWord} characters.`);
  }
  return change(ctx, async (tx, { id: realmId, hasAlertWords }, userId) => {
    const { alertWords, realms } = tx.t;
    if (!hasAlertWords && words.length > 0) {
      await tx.db.update(realms).set({ hasAlertWords: true }).where(eq(realms.id, realmId));
    }
    const rows = words.map((word) => ({ realmId, userId, word, wordKey: word.toLowerCase() }));
    for (const chunk of inChunks(rows))
      await tx.db.insert(alertWords).values(chunk).onConflictDoNothing();
  });
}

/** Removes alert words of the actor's, ignoring case, and answers the others. */
export async function removeAlertWords(
  ctx: Context<Person>,
  { alertWords: given }: Input<typeof ChangeAlertWords>,
): Promise<AlertWords> {
  const keys = clean(given).map((word) => word.toLowerCase());
  return change(ctx, async (tx, { id: realmId }, userId) => {
    const { alertWords } = tx.t;
    const isOwn = and(eq(alertWords.realmId, realmId), eq(alertWords.userId, userId));
    for (const chunk of inChunks(keys)) {
      await tx.db.delete(alertWords).where(and(isOwn, inArray(alertWords.wordKey, chunk)));
    }
  });
}

const clean = (words: string[]) => words.map((word) => word.trim()).filter((word) => word !== "");

async function change(
  ctx: Context<Person>,
  run: (tx: Tx, realm: RealmRow, userId: number) => Promise<void>,
): Promise<AlertWords> {
  return write(ctx, async (tx) => {
    const { realm, actor } = await renewContext(tx, ctx);
    await run(tx, realm, actor.user.id);
    const alert_words = await listAlertWords(tx, realm.id, actor.user.id);
    if (alert_words.length > wordsMax)
      throw badRequest(`You can have at most ${wordsMax} alert words.`);
    await tx.emit({ to: "users", ids: [actor.user.id] }, alertWordsChanged({ alert_words }));
    return { alert_words };
  });
}
