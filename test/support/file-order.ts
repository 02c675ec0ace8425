const usualFileMilliseconds = 3_000;

/** Files that wait by the clock for most of their time, or for many seconds. */
const waiting = [
  "test/http/connections.once.test.ts",
  "test/db/silent-nodes.postgres.test.ts",
  "test/db/lock-waits.test.ts",
  "test/db/lock-waits.postgres.test.ts",
  "test/cli/sole-server.test.ts",
  "test/cli/service-manager.test.ts",
  "test/cli/database-wait.test.ts",
];

export const waits = (file: string) => waiting.includes(`test/${file}`);

/**
 * Files that take longest, those first that begin first: one that began last would leave a
 * processor idle.
 */
const longestFirst = [
  "test/clients/openapi.test.ts",
  "test/cli/admin.test.ts",
  "test/cli/upgrade.test.ts",
  "test/cli/export-import.test.ts",
  "test/cli/organization.test.ts",
  "test/events/verify-endpoints.once.test.ts",
  "test/transcripts/transcripts.once.test.ts",
  "test/bots/incoming-webhooks-hostile.once.test.ts",
  "test/cli/backup.test.ts",
  "test/documents/commands.test.ts",
  "test/cli/channel.test.ts",
  "test/cli/apply-channels.test.ts",
  "test/moving/slack-property.once.test.ts",
  "test/cli/doctor.test.ts",
  "test/cli/serve.test.ts",
  "test/crash/crash.test.ts",
  "test/cli/apply-pictures.test.ts",
  "test/web/browser/look.test.ts",
  "test/web/browser/every-command.test.ts",
  "test/web/browser/by-keyboard.test.ts",
  "test/web/browser/engines-firefox.test.ts",
  "test/web/browser/engines-webkit.test.ts",
  "test/web/browser/touch.test.ts",
  "test/web/browser/offline.test.ts",
  "test/web/browser/compose.test.ts",
  "test/web/browser/settings.test.ts",
  "test/web/browser/drafts.test.ts",
  "test/web/browser/uploads.test.ts",
  "test/web/browser/views.test.ts",
  "test/web/browser/widgets.test.ts",
  "test/moving/backup.test.ts",
  "test/uploads/uploads-s3.test.ts",
  "test/uploads/uploads-s3-faults.test.ts",
  "test/people/roles.test.ts",
  "test/mail/missed-mail.test.ts",
  "test/people/users-verify.test.ts",
];

/**
 * Durations of files below `test`, by which bun chooses those that begin: a file that it does not
 * find there would begin before all others.
 */
export function timingsOf(files: readonly string[]) {
  const rank = (file: string) => {
    const index = longestFirst.indexOf(`test/${file}`);
    return index < 0 ? 1 : 1 + longestFirst.length - index;
  };
  const durations = files.map((file) => [`test/${file}`, rank(file) * usualFileMilliseconds]);
  return { version: 1, files: Object.fromEntries(durations) };
}
