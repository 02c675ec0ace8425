import type { Context, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { sees } from "../../core/rights/person-visibility";
import { isLonger } from "../../core/text/name";
import { renderDescription } from "../../markdown/render";
import type { ProfileValue } from "../../people/users/profile-data";
import { findUsersByIds } from "../../people/users/queries";
import { viewerOf } from "../../people/users/viewer";
import { lengthsMax } from "../../protocol/limits";
import { fieldTypes } from "../../protocol/profile-field-types";
import { choiceKeys } from "./field-data";
import type { ProfileField } from "./queries";

const usersMax = 100;

const { shortText, paragraph, dropdown, date, link, users, externalAccount } = fieldTypes;

/**
 * The stored form of a value; undefined for one that removes the value: null, an empty text, an
 * empty list. Refuses invalid values of the field, and people who do not exist, are deactivated,
 * are bots, or are not visible to the actor (BAD_REQUEST).
 */
export async function checkedValue(
  tx: Tx,
  ctx: Context,
  field: ProfileField,
  given: unknown,
): Promise<ProfileValue | undefined> {
  if (given === null || given === "") return undefined;
  if (field.type === users) return checkedPeople(tx, ctx, field, given);
  if (typeof given !== "string") throw badRequest(`${field.name} is a text.`);
  // A lone surrogate is valid for some clients but not for PostgreSQL, which parses stored JSON.
  const value = given.trim().toWellFormed();
  if (value === "") return undefined;
  requireValue(field, value);
  const isRendered = field.type === shortText || field.type === paragraph;
  return isRendered ? { value, rendered_value: renderDescription(value) } : { value };
}

function requireValue({ type, name, fieldData }: ProfileField, value: string) {
  switch (type) {
    case paragraph:
      return requireLength(name, value, lengthsMax.profileParagraph);
    case dropdown:
      if (!choiceKeys(fieldData).includes(value))
        throw badRequest(`'${value}' is no choice of ${name}.`);
      return undefined;
    case date:
      if (!isDate(value)) throw badRequest(`${name} is a date like 2001-12-31.`);
      return undefined;
    case link:
      requireLength(name, value, lengthsMax.profileLink);
      if (!isLink(value)) throw badRequest(`${name} is an address like https://example.com.`);
      return undefined;
    case externalAccount:
      if (/\s/.test(value)) throw badRequest(`${name} is a name without spaces.`);
      return requireLength(name, value, lengthsMax.profileShortText);
    default:
      return requireLength(name, value, lengthsMax.profileShortText);
  }
}

function requireLength(name: string, value: string, lengthMax: number) {
  if (isLonger(value, lengthMax)) throw badRequest(`${name} has at most ${lengthMax} characters.`);
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const milliseconds = Date.parse(`${value}T00:00:00Z`);
  // JavaScript turns the 31st of February into a day of March.
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(value);
}

/** Whether a text is a complete web address. */
export const isLink = (value: string) =>
  /^https?:\/\/[^\s/]/i.test(value) && !/\s/.test(value) && URL.canParse(value);

async function checkedPeople(tx: Tx, ctx: Context, field: ProfileField, given: unknown) {
  if (!Array.isArray(given) || !given.every((id): id is number => Number.isSafeInteger(id))) {
    throw badRequest(`${field.name} is a list of user IDs.`);
  }
  const ids = [...new Set(given)];
  if (ids.length === 0) return undefined;
  if (ids.length > usersMax) throw badRequest(`${field.name} names at most ${usersMax} people.`);
  const people = new Map(
    (await findUsersByIds(tx, ctx.realm.id, ids)).map((user) => [user.id, user]),
  );
  const viewer = await viewerOf(tx, ctx, ids);
  for (const id of ids) {
    const person = people.get(id);
    if (!person || !sees(viewer, person)) throw badRequest(`Invalid user ID: ${id}.`);
    if (!person.isActive) throw badRequest(`The user with ID ${id} is deactivated.`);
    if (person.botType !== null) throw badRequest(`The user with ID ${id} is a bot.`);
  }
  return { value: JSON.stringify(ids) };
}
