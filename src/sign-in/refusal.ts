import { ApiError } from "../core/errors";
import type { Language } from "../core/language";
import { codeWords, reasonWords } from "./reason-words";

/**
 * Refusal of a verb as a page in that language shows it; any other error is thrown on. Its text is
 * that of its reason, else that of its code.
 */
export function refusalIn(error: unknown, language: Language): ApiError {
  if (!(error instanceof ApiError)) throw error;
  if (language === "en") return error;
  const { code, status, data, reason } = error;
  const { of, otherwise } = codeWords[language];
  const text = reason
    ? reasonWords[language][reason.name](...reason.values)
    : (of[code]?.(data) ?? otherwise);
  return new ApiError(code, text, status, data);
}
