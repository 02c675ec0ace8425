import { ApiError } from "../core/errors";
import type { Language } from "../core/language";
import { protocolLimits } from "../realm/limits";
import { wrongLength } from "./passwords";
import { type SignInWords, signInWords } from "./words";

/**
 * Refusal of a verb as a page in that language shows it; any other error is thrown on. Refusals that
 * depend on what an organization has set are in English in every language.
 */
export function refusalIn(error: unknown, language: Language): ApiError {
  if (!(error instanceof ApiError)) throw error;
  if (language === "en") return error;
  const { code, status, data } = error;
  return new ApiError(code, textIn(error, signInWords(language)), status, data);
}

function textIn({ code, message, data }: ApiError, words: SignInWords): string {
  const { passwordMinLength: min, passwordMaxLength: max } = protocolLimits;
  const wait = data["retry-after"];
  if (code === "CSRF_FAILED" && data["reason"] === "origin") return words.fromOtherSite;
  if (code === "RATE_LIMIT_HIT" && typeof wait === "number") return words.tooMany(wait);
  if (code === "USER_DEACTIVATED") return words.deactivated;
  if (message === wrongLength) return words.passwordLength(min, max);
  return message;
}
