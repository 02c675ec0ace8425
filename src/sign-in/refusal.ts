import { ApiError } from "../core/errors";
import type { Language } from "../core/language";
import { reasonWords } from "./reason-words";
import { type SignInWords, signInWords } from "./words";

/**
 * Refusal of a verb as a page in that language shows it; any other error is thrown on. A refusal
 * without a reason that pages know is in English in every language.
 */
export function refusalIn(error: unknown, language: Language): ApiError {
  if (!(error instanceof ApiError)) throw error;
  if (language === "en") return error;
  const { code, status, data, reason } = error;
  const text = reason
    ? reasonWords[language][reason.name](...reason.values)
    : textIn(error, signInWords(language));
  return new ApiError(code, text, status, data);
}

function textIn({ code, message, data }: ApiError, words: SignInWords): string {
  const wait = data["retry-after"];
  if (code === "CSRF_FAILED" && data["reason"] === "origin") return words.fromOtherSite;
  if (code === "RATE_LIMIT_HIT" && typeof wait === "number") return words.tooMany(wait);
  if (code === "USER_DEACTIVATED") return words.deactivated;
  if (code === "AUTHENTICATION_FAILED") return words.wrongPassword;
  return message;
}
