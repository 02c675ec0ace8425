import { and, eq } from "drizzle-orm";
import { Page } from "../core/answer";
import type { Context } from "../core/context";
import { type Input, record, text, word } from "../core/params";
import { isSameHash } from "../core/secrets/secrets";
import { html, htmlPage } from "../core/text/html";
import { write } from "../core/write";
import { kinds, tokenOf } from "../letters/unsubscribe-link";
import { endChannelMailsIn } from "../management/subscriptions/properties";
import { changeOwnSettingsIn } from "../people/settings/change";
import { findUser } from "../people/users/queries";
import { languageOfStranger } from "../realm/locale";
import { mailWords, wordsOfUser } from "./words/mail-words";

export const Unsubscribe = record({
  kind: word("login", "missed", "digest"),
  userId: text(),
  token: text(),
});

/**
 * Page that asks whether to unsubscribe from a kind of mail. It changes nothing, because programs
 * open links, too.
 */
export async function showUnsubscribe(
  ctx: Context,
  input: Input<typeof Unsubscribe>,
): Promise<Page> {
  const { name } = ctx.realm;
  const user = await findWhose(ctx, input);
  if (!user) return refused(ctx);
  const words = wordsOfUser(user);
  return new Page(
    htmlPage(
      words.mailOf(name),
      html`<h1>${name}</h1><p>${words.noMore(words.kinds[input.kind])}</p>
<form method="post"><button>${words.unsubscribe}</button></form>`,
      words.tag,
    ),
  );
}

/**
 * Unsubscribes the person whose link it is from a kind of mail, signed in or not; mail programs may
 * post it, too (RFC 8058). The link stays valid. It also changes the person's settings for single
 * topics and channels. Events: user_settings update and subscription update, to the user. A link
 * that is incomplete is refused (404).
 */
export async function unsubscribe(ctx: Context, input: Input<typeof Unsubscribe>): Promise<Page> {
  const user = await findWhose(ctx, input);
  if (!user) return refused(ctx);
  const { settings } = kinds[input.kind];
  const words = wordsOfUser(user);
  await write(ctx, async (tx) => {
    const { users } = tx.t;
    const isIt = and(eq(users.realmId, user.realmId), eq(users.id, user.id));
    const [current] = await tx.db.select().from(users).where(isIt);
    if (!current?.isActive) return;
    await changeOwnSettingsIn(tx, current, new Map(settings.map((setting) => [setting, false])));
    if (input.kind === "missed") await endChannelMailsIn(tx, current);
  });
  return new Page(
    htmlPage(
      words.mailOf(ctx.realm.name),
      html`<h1>${words.done}</h1><p>${words.getNoMore(words.kinds[input.kind], ctx.realm.name)}</p>`,
      words.tag,
    ),
  );
}

async function findWhose(ctx: Context, { kind, userId, token }: Input<typeof Unsubscribe>) {
  if (!ctx.realm.isActive || !/^\d{1,15}$/.test(userId)) return undefined;
  const user = await findUser(ctx.reader, ctx.realm.id, Number(userId));
  return user && isSameHash(tokenOf(ctx, user, kind), token) ? user : undefined;
}

function refused(ctx: Context) {
  const words = mailWords(languageOfStranger(ctx));
  const main = html`<h1>${words.linkDoesNotWork}</h1><p>${words.notCopied}</p>`;
  return new Page(htmlPage(words.mail, main, words.tag), 404);
}
