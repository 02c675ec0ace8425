import { badRequest } from "../../core/errors";
import { isRecord } from "../../core/json/record";
import { cleanName, isLonger } from "../../core/text/name";
import { fieldTypes } from "../../protocol/profile-field-types";
import { externalAccounts } from "./external-accounts";

const choicesMax = 200;
/** Length limit of a choice, and of its key, which people's values contain. */
const choiceLengthMax = 50;
const urlPatternLengthMax = 500;
const userNameVariable = "%(username)s";

/**
 * The stored details of a field: JSON for dropdowns and external accounts, else empty. Refuses
 * invalid details.
 */
export function checkedFieldData(type: number, given: unknown): string {
  if (type === fieldTypes.dropdown) return JSON.stringify(checkedChoices(given));
  if (type === fieldTypes.externalAccount) return JSON.stringify(checkedAccount(given));
  const isEmpty =
    given === undefined || given === "" || (isRecord(given) && Object.keys(given).length === 0);
  if (!isEmpty) throw badRequest("Only dropdowns and external accounts have 'field_data'.");
  return "";
}

function checkedChoices(given: unknown) {
  if (!isRecord(given))
    throw badRequest('The choices of a dropdown are {"a": {"text": "…", "order": "1"}, …}.');
  const choices = Object.entries(given).map(
    ([key, choice]) => [key, checkedChoice(key, choice)] as const,
  );
  if (choices.length === 0) throw badRequest("A dropdown must have at least one choice.");
  if (choices.length > choicesMax)
    throw badRequest(`A dropdown has at most ${choicesMax} choices.`);
  if (new Set(choices.map(([, { text }]) => text)).size < choices.length) {
    throw badRequest("Two choices of a dropdown cannot have the same text.");
  }
  return Object.fromEntries(choices);
}

function checkedChoice(key: string, choice: unknown) {
  const { text, order } = isRecord(choice) ? choice : {};
  cleanName("The key of a choice", key, choiceLengthMax);
  if (typeof text !== "string" || text.trim() === "")
    throw badRequest("Each choice of a dropdown needs a 'text'.");
  if (isLonger(text.trim(), choiceLengthMax))
    throw badRequest(`A choice has at most ${choiceLengthMax} characters.`);
  if (typeof order !== "string" || !/^\d{1,6}$/.test(order)) {
    throw badRequest("Each choice of a dropdown needs an 'order', digits as a string.");
  }
  return { text: text.trim().toWellFormed(), order };
}

function checkedAccount(given: unknown) {
  const { subtype, url_pattern } = isRecord(given) ? given : {};
  if (typeof subtype !== "string") throw badRequest("An external account needs a 'subtype'.");
  if (subtype !== "custom") {
    if (!Object.hasOwn(externalAccounts, subtype))
      throw badRequest(`'${subtype}' is no known external account.`);
    return { subtype };
  }
  if (typeof url_pattern !== "string" || !isUrlPattern(url_pattern)) {
    throw badRequest(`'url_pattern' is an address with ${userNameVariable} in it.`);
  }
  return { subtype, url_pattern };
}

function isUrlPattern(pattern: string): boolean {
  const [before, after, rest] = pattern.split(userNameVariable);
  if (pattern.length > urlPatternLengthMax || after === undefined || rest !== undefined)
    return false;
  return /^https?:\/\/[^\s/]/i.test(`${before}name`) && URL.canParse(`${before}name${after}`);
}

/** The kind of an external account with a fixed name and hint; undefined for a custom one. */
export function knownAccount(type: number, fieldData: string) {
  if (type !== fieldTypes.externalAccount) return undefined;
  const { subtype }: { subtype: string } = JSON.parse(fieldData);
  return externalAccounts[subtype];
}

/** The choices of a dropdown, by their keys. */
export function choiceKeys(fieldData: string): string[] {
  return Object.keys(JSON.parse(fieldData));
}
