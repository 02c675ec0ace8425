import type { UserRow } from "../core/context";
import { ApiError } from "../core/errors";
import type { Language } from "../core/language";
import { localeOfUser } from "../people/settings/locale";
import { codeWords, reasonWords } from "./reason-words";

/**
 * Shows a verb's refusal as a page in that language; throws any other error. The text belongs to
 * the refusal's reason, or else to its code.
 */
export function refusalIn(error: unknown, language: Language): ApiError {
  if (!(error instanceof ApiError)) throw error;
  if (language === "en") return error;
  return withText(error, textIn(error, language) ?? codeWords[language].otherwise);
}

/**
 * Refusal of a request of the web client, in its person's language. A refusal without a text in
 * that language keeps its English text, because that says more than a general one.
 */
export function refusalInWordsOf(person: UserRow, error: ApiError): ApiError {
  const { language } = localeOfUser(person);
  const text = language === "en" ? undefined : textIn(error, language);
  return text === undefined ? error : withText(error, text);
}

const textIn = ({ code, data, reason }: ApiError, language: Exclude<Language, "en">) =>
  reason
    ? reasonWords[language][reason.name](...reason.values)
    : codeWords[language].of[code]?.(data);

const withText = ({ code, status, data }: ApiError, text: string) =>
  new ApiError(code, text, status, data);
