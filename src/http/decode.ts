import type { TObject, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { badRequest, confusingParameters, missingParameter } from "../core/errors";
import { wireName } from "./endpoint";
import { isTooDeep } from "./json-depth";

export interface Decoded {
  input: Record<string, unknown>;
  /** Parameters that were sent and that the endpoint does not know. */
  ignored: string[];
}

/** Turns raw parameters, by their wire names, into the input that a verb declares. Refuses what does not fit it. */
export function decodeInput(
  schema: TObject,
  aliases: Readonly<Record<string, string>>,
  raw: ReadonlyMap<string, string>,
): Decoded {
  const given = resolveAliases(aliases, raw);
  const input: Record<string, unknown> = {};
  const parameters = parametersOf(schema);
  for (const [name, { property, schema: own, isRequired }] of parameters) {
    const text = given.get(name);
    if (text !== undefined) input[property] = decodeValue(own, text, name);
    else if (isRequired) throw missingParameter(name);
  }
  const ignored: string[] = [];
  for (const name of given.keys()) if (!parameters.has(name)) ignored.push(name);
  return { input, ignored };
}

interface Parameter {
  property: string;
  schema: TSchema;
  isRequired: boolean;
}

const parametersBySchema = new WeakMap<TObject, Map<string, Parameter>>();

/** The parameters of a schema by their wire names, worked out once. */
function parametersOf(schema: TObject): Map<string, Parameter> {
  let parameters = parametersBySchema.get(schema);
  if (!parameters) {
    const required = new Set(schema.required);
    const entries = Object.entries(schema.properties).map(([property, own]): [string, Parameter] => [
      wireName(property),
      { property, schema: own, isRequired: required.has(property) },
    ]);
    parameters = new Map(entries);
    parametersBySchema.set(schema, parameters);
  }
  return parameters;
}

function resolveAliases(
  aliases: Readonly<Record<string, string>>,
  raw: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const used = Object.keys(aliases).filter((alias) => raw.has(alias));
  if (used.length === 0) return raw;
  const given = new Map(raw);
  for (const alias of used) {
    const name = aliases[alias] ?? alias;
    if (given.has(name)) throw confusingParameters(name, alias);
    given.set(name, raw.get(alias) ?? "");
    given.delete(alias);
  }
  return given;
}

/** Plain texts are taken as they are; everything else is JSON, and a bare text where a text is allowed too. */
function decodeValue(schema: TSchema, text: string, name: string): unknown {
  if (text.includes("\0")) throw badRequest(`${name} must not contain NUL characters.`);
  if (schema["type"] === "string" && !schema["enum"]) return text;
  if (schema["enum"]) return decodeWord(schema["enum"], text, name);
  const value = parseJson(schema, text, name);
  if (text.includes("\\u0000")) throw badRequest(`${name} must not contain NUL characters.`);
  if (Value.Check(schema, value)) return value;
  if (acceptsText(schema) && typeof value !== "string") return text;
  throw badRequest(refusal(schema, name));
}

function decodeWord(words: string[], text: string, name: string): string {
  const bare = text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
  if (words.includes(bare)) return bare;
  throw badRequest(`Invalid ${name}: expected one of ${words.join(", ")}.`);
}

/** How JSON begins: a bare text that begins otherwise is not tried, as the error that says so costs more than all else. */
const beginsJson = /^(?:[\s[{"\-0-9]|(?:true|false|null)\s*$)/;

function parseJson(schema: TSchema, text: string, name: string): unknown {
  if (!beginsJson.test(text) && acceptsText(schema)) return text;
  if (isTooDeep(text)) throw badRequest(`Argument "${name}" is nested too deeply.`);
  try {
    return JSON.parse(text);
  } catch {
    if (acceptsText(schema)) return text;
    throw badRequest(`Argument "${name}" is not valid JSON.`);
  }
}

/** Whether a parameter may be any text as it is, without the quotes of JSON. */
function acceptsText(schema: TSchema): boolean {
  const alternatives: TSchema[] = schema["anyOf"] ?? [schema];
  return alternatives.some(({ type, enum: words }) => type === "string" && !words);
}

function refusal(schema: TSchema, name: string): string {
  const expected: string = schema["type"] ?? "value of another type";
  const { minimum, maximum } = schema;
  const isRanged = expected === "integer" && minimum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return isRanged
    ? `${name} must be a whole number from ${minimum} to ${maximum}.`
    : `${name} is not a valid ${expected}.`;
}
