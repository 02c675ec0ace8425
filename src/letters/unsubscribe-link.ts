import type { UserRow } from "../core/context";
import type { Language } from "../core/language";
import { siteOf } from "../core/network/site";
import type { MailPlace } from "./envelope";

/** Kinds of mail that can be unsubscribed, with the settings that they depend on. */
export const kinds = {
  login: { settings: ["enable_login_emails"] },
  missed: {
    settings: [
      "enable_offline_email_notifications",
      "enable_followed_topic_email_notifications",
      "enable_stream_email_notifications",
    ],
  },
  digest: { settings: ["enable_digest_emails"] },
} as const;

export type MailKind = keyof typeof kinds;

type Whose = Pick<UserRow, "id" | "realmId">;

/**
 * A token for one person and kind that never expires, because mails are kept, and because
 * unsubscribing is all that it allows.
 */
export const tokenOf = ({ app }: Pick<MailPlace, "app">, { id, realmId }: Whose, kind: MailKind) =>
  app.secrets.hash("unsubscribe", `${realmId}:${id}:${kind}`);

const labels: Readonly<Record<Language, string>> = { en: "Unsubscribe", de: "Abbestellen" };

/** The address that unsubscribes somebody from a kind of mail, without signing in. */
export const unsubscribing = (
  place: MailPlace,
  user: Whose,
  kind: MailKind,
  language: Language,
) => ({
  label: labels[language],
  url: `${siteOf(place)}/unsubscribe/${kind}/${user.id}/${tokenOf(place, user, kind)}`,
});
