import { type Static, Type } from "@sinclair/typebox";
import type { Context, Person } from "../../core/context";
import { badRequest } from "../../core/errors";
import { type Input, id, optional, record } from "../../core/params";
import { write } from "../../core/write";
import { localeOfUser } from "../../people/settings/locale";
import { asHolderOf, type Browser, ownSession } from "../../sign-in/browser";
import { browserNameIn } from "../../sign-in/browser-name";
import { endSessionsIn, listSessions, requireOpenSessionIn } from "../../sign-in/sessions";

export const ListOwnSessions = record({});
export const OwnSessions = record({
  sessions: Type.Array(
    record({
      id: Type.Integer(),
      browser: Type.String(),
      created_at: Type.Integer({ description: "UNIX seconds." }),
      last_seen_at: Type.Integer({ description: "UNIX seconds; may lag." }),
      is_current: Type.Boolean({ description: "Whether the request was sent in it." }),
    }),
  ),
});

/**
 * The browsers in which the person is signed in, oldest first, for the pages of one of them.
 * Refuses as `ownSession` does.
 */
export async function listOwnSessions(
  ctx: Context<Person>,
  _input: Input<typeof ListOwnSessions>,
  browser: Browser,
): Promise<Static<typeof OwnSessions>> {
  const current = await ownSession(ctx, browser);
  const { language } = localeOfUser(current.user);
  const sessions = await listSessions(asHolderOf(ctx, current), current.user.id);
  return {
    sessions: sessions.map(({ id: sessionId, browser: name, createdAt, lastSeenAt }) => ({
      id: sessionId,
      browser: browserNameIn(name, language),
      created_at: createdAt,
      last_seen_at: lastSeenAt,
      is_current: sessionId === current.id,
    })),
  };
}

export const EndOwnSession = record({ sessionId: optional(id()) });
export const EndedSessions = record({
  ended: Type.Integer({ description: "Number of sessions that have ended." }),
});

/**
 * Ends a session of the person, or, without `session_id`, all but that of the request; with them
 * their event queues and held polls, so that their pages lead to the login page. Announced to
 * nobody. Refuses (BAD_REQUEST) one that is not theirs or has ended, and as `ownSession` does.
 */
export async function endOwnSession(
  ctx: Context<Person>,
  { sessionId }: Input<typeof EndOwnSession>,
  browser: Browser,
): Promise<Static<typeof EndedSessions>> {
  const { user, id: currentId } = await ownSession(ctx, browser);
  return write(ctx, async (tx) => {
    await requireOpenSessionIn(tx, ctx.realm.id, currentId);
    const ended = await endSessionsIn(tx, ctx.realm.id, user.id, (one) =>
      sessionId === undefined ? one !== currentId : one === sessionId,
    );
    if (ended === 0 && sessionId !== undefined)
      throw badRequest("You have no such session: it has already ended.");
    tx.audit(ctx, {
      action: "session.end",
      kind: "user",
      ids: [user.id],
      before: sessionId === undefined ? { all_but: currentId } : { session_ids: [sessionId] },
    });
    return { ended };
  });
}
