import type { App } from "../core/context";
import { type Language, languageAsked } from "../core/language";
import { arrive } from "../realm/arrival";
import { localeOfRealm } from "../realm/locale";

/**
 * Language of a page that is not an endpoint: the language of the browser, or else of the
 * organization at its host, or else English. Such a page is shown even while the database does not
 * answer.
 */
export async function languageOfPage(
  app: App | undefined,
  { headers }: Request,
): Promise<Language> {
  const asked = languageAsked(headers.get("accept-language"));
  if (asked !== undefined || !app) return asked ?? "en";
  const realm = await findRealm(app, headers.get("host") ?? "").catch(() => undefined);
  return realm ? localeOfRealm(realm).language : "en";
}

const findRealm = async ({ engine }: App, host: string) => (await arrive(engine, host)).realm;
