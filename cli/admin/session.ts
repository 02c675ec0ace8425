import { isoTime } from "../../src/core/clock";
import { deleteUser, requireDeletable } from "../../src/management/accounts/delete";
import { countAccount, countTraces } from "../../src/moving/figures/consequences";
import { loadAccount } from "../../src/moving/organization/lookup";
import { endSessions, listSessions } from "../../src/sign-in/sessions";
import { isAgreed } from "../consent";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { formatTable, printResult } from "../output";

/**
 * `chatd admin user sessions EMAIL [--end]`: the browsers in which a person is signed in; with
 * `--end` they are signed out.
 */
export async function showSessions(email: string, options: RealmOptions & { end?: boolean }) {
  if (options.end) {
    const ended = await withOperator(options, async (ctx) =>
      endSessions(ctx, (await loadAccount(ctx, email)).id),
    );
    printResult(options, { ended }, [
      `Signed ${email} out of ${ended} browser${ended === 1 ? "" : "s"}.`,
    ]);
    return;
  }
  const sessions = await withOperator(options, async (ctx) =>
    listSessions(ctx, (await loadAccount(ctx, email)).id),
  );
  const shown = sessions.map(({ id, browser, createdAt, lastSeenAt, expiresAt }) => ({
    id,
    browser,
    created_at: createdAt,
    last_seen_at: lastSeenAt,
    expires_at: expiresAt,
  }));
  const rows = sessions.map(({ browser, createdAt, lastSeenAt, expiresAt }) => [
    browser,
    isoTime(createdAt),
    isoTime(lastSeenAt),
    isoTime(expiresAt),
  ]);
  printResult(
    options,
    { sessions: shown },
    formatTable(["BROWSER", "SIGNED IN", "LAST SEEN", "ENDS AT THE LATEST"], rows),
  );
}

/** `chatd admin user delete EMAIL [--yes] [--dry-run]`: deletes a person for good. */
export async function deletePerson(email: string, options: RealmOptions) {
  const user = await withOperator(options, async (ctx) => {
    const person = await loadAccount(ctx, email);
    await requireDeletable(ctx.reader, person);
    const plan = {
      act: `delete ${person.fullName} (${person.email}) for good`,
      name: person.email,
      figures: [...(await countAccount(ctx, person)), ...(await countTraces(ctx, person))],
      notes: ["Everything else about them is removed, and there is no way back."],
    };
    return (await isAgreed(options, plan)) ? deleteUser(ctx, person.id) : undefined;
  });
  if (!user) return;
  printResult(options, { user_id: user.id, full_name: user.fullName, is_deleted: true }, [
    `Deleted ${email} for good: they are "${user.fullName}" now.`,
  ]);
}
