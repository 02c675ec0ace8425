import type { TObject, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { wireName } from "../core/endpoint";
import { badRequest, confusingParameters, missingParameter } from "../core/errors";
import { isTooDeep } from "../core/json/json-depth";
import { parsesWith, refusesOtherJson } from "../core/params";
import { clientParameter } from "./client-name";
import { valueRefusal } from "./value-refusal";

export interface Decoded {
  input: Record<string, unknown>;
  /** Parameters that were sent but that the endpoint does not have. */
  ignored: string[];
}

/**
 * Turns raw parameters, by their wire names, into the input that a verb declares. Refuses
 * parameters that do not fit it.
 */
export function decodeInput(
  schema: TObject,
  aliases: Readonly<Record<string, string>>,
  raw: ReadonlyMap<string, string>,
): Decoded {
  const given = resolveAliases(aliases, raw);
  const parameters = parametersOf(schema);
  return decodeGiven(parameters, given) ?? decodeInOrder(parameters, given);
}

/**
 * Checks only the given parameters, because most endpoints have many more. Undefined if one is
 * refused or missing: then the order of the schema decides which one the error names.
 */
function decodeGiven(
  { byName, required }: Parameters,
  given: ReadonlyMap<string, string>,
): Decoded | undefined {
  for (const name of required) if (!given.has(name)) return undefined;
  const input: Record<string, unknown> = {};
  const ignored: string[] = [];
  const sent: Parameter[] = [];
  for (const name of given.keys()) {
    const parameter = byName.get(name);
    if (parameter && isAbsent(parameter, given.get(name))) continue;
    if (parameter) sent.push(parameter);
    else if (name !== clientParameter) ignored.push(name);
  }
  if (sent.length > 1) sent.sort((a, b) => a.rank - b.rank);
  try {
    for (const { name, property, decode } of sent) input[property] = decode(given.get(name) ?? "");
  } catch {
    return undefined;
  }
  return { input, ignored };
}

function decodeInOrder(
  { byName, inOrder }: Parameters,
  given: ReadonlyMap<string, string>,
): Decoded {
  const input: Record<string, unknown> = {};
  for (const parameter of inOrder) {
    const { name, property, decode, isRequired } = parameter;
    const text = given.get(name);
    if (text !== undefined && !isAbsent(parameter, text)) input[property] = decode(text);
    else if (isRequired) throw missingParameter(name);
  }
  const ignored = [...given.keys()].filter((name) => name !== clientParameter && !byName.has(name));
  return { input, ignored };
}

interface Parameter {
  name: string;
  /** Its place in the schema: the input has its members in that order. */
  rank: number;
  property: string;
  decode: (text: string) => unknown;
  isRequired: boolean;
  /** Whether JSON null stands for no value. */
  leavesOutNull: boolean;
}

/**
 * An optional parameter that has no use for JSON null is absent if it is null, because clients that
 * put all their values into a form send that. Source: `test/recorded/api/server-params-372.json`.
 */
const isAbsent = ({ leavesOutNull }: Parameter, text: string | undefined) =>
  leavesOutNull && text === "null";

interface Parameters {
  byName: ReadonlyMap<string, Parameter>;
  required: readonly string[];
  inOrder: readonly Parameter[];
}

const parametersBySchema = new WeakMap<TObject, Parameters>();

/** The parameters of a schema, computed once. */
function parametersOf(schema: TObject): Parameters {
  const cached = parametersBySchema.get(schema);
  if (cached) return cached;
  const required = new Set(schema.required);
  const inOrder = Object.entries(schema.properties).map(
    ([property, propertySchema], rank): Parameter => {
      const name = wireName(property);
      const decode = decoderOf(propertySchema, name);
      const isRequired = required.has(property);
      const leavesOutNull = !isRequired && !isTexted(propertySchema) && refusesNull(decode);
      return { name, rank, property, decode, isRequired, leavesOutNull };
    },
  );
  const parameters = {
    byName: new Map(inOrder.map((parameter) => [parameter.name, parameter])),
    required: inOrder.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    inOrder,
  };
  parametersBySchema.set(schema, parameters);
  return parameters;
}

function resolveAliases(
  aliases: Readonly<Record<string, string>>,
  raw: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  let given: Map<string, string> | undefined;
  for (const alias in aliases) {
    const text = raw.get(alias);
    if (text === undefined) continue;
    given ??= new Map(raw);
    const name = aliases[alias] ?? alias;
    if (given.has(name)) throw confusingParameters(name, alias);
    given.set(name, text);
    given.delete(alias);
  }
  return given ?? raw;
}

/**
 * Plain texts are taken as they are. Everything else is JSON, or a bare text if a text is allowed
 * too.
 */
function decoderOf(schema: TSchema, name: string): Parameter["decode"] {
  const words: string[] | undefined = schema["enum"];
  const isText = schema["type"] === "string";
  const takesText = acceptsText(schema);
  const decodePlain = plainDecoderOf(schema);
  return (text) => {
    const plain = decodePlain?.(text);
    if (plain !== undefined) return plain;
    if (text.includes("\0")) throw badRequest(`${name} must not contain NUL characters.`);
    if (words) return decodeWord(words, text, name);
    return isText ? text : decodeJson(schema, takesText, text, name);
  };
}

const plainInteger = /^(?:0|-?[1-9]\d{0,14})$/;

/**
 * Reads a whole number or a flag without a parser, because most parameters are such. Undefined for
 * a text that does not fit.
 */
function plainDecoderOf({
  type,
  minimum,
  maximum,
}: TSchema): ((text: string) => number | boolean | undefined) | undefined {
  if (type === "boolean")
    return (text) => (text === "true" ? true : text === "false" ? false : undefined);
  if (type !== "integer") return undefined;
  return (text) => {
    if (!plainInteger.test(text)) return undefined;
    const number = Number(text);
    return number >= minimum && number <= maximum ? number : undefined;
  };
}

const escapedNul = "\\u0000";

/**
 * Whether a text in the JSON contains a NUL. After an odd number of backslashes, the last of which
 * is escaped, the letters are ordinary text.
 */
function holdsNul(json: string): boolean {
  for (let at = json.indexOf(escapedNul); at >= 0; at = json.indexOf(escapedNul, at + 1)) {
    let begin = at;
    while (json[begin - 1] === "\\") begin -= 1;
    if ((at - begin) % 2 === 0) return true;
  }
  return false;
}

function decodeJson(schema: TSchema, takesText: boolean, text: string, name: string): unknown {
  const value = parseJson(takesText, text, name);
  if (holdsNul(text)) throw badRequest(`${name} must not contain NUL characters.`);
  const parse: ((json: unknown) => unknown) | undefined = schema[parsesWith];
  if (parse) return parse(value);
  if (Value.Check(schema, value)) return value;
  if (takesText && typeof value !== "string" && schema[refusesOtherJson] !== true) return text;
  throw badRequest(valueRefusal(schema, name, value, text));
}

function decodeWord(words: string[], text: string, name: string): string {
  const bare = text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
  if (words.includes(bare)) return bare;
  throw badRequest(`Invalid ${name}: expected one of ${words.join(", ")}.`);
}

/**
 * Beginning of JSON. A bare text with another beginning is not parsed, because the resulting error
 * would cost more than everything else.
 */
const beginsJson = /^(?:[\s[{"\-0-9]|(?:true|false|null)\s*$)/;

function parseJson(takesText: boolean, text: string, name: string): unknown {
  if (takesText && !beginsJson.test(text)) return text;
  if (isTooDeep(text)) throw badRequest(`Argument "${name}" is nested too deeply.`);
  try {
    return JSON.parse(text);
  } catch {
    if (takesText) return text;
    throw badRequest(`Argument "${name}" is not valid JSON.`);
  }
}

/** Whether the text "null" would be an ordinary text, or no word of an enumeration. */
const isTexted = (schema: TSchema) => schema["type"] === "string" || acceptsText(schema);

function refusesNull(decode: Parameter["decode"]): boolean {
  try {
    decode("null");
    return false;
  } catch {
    return true;
  }
}

/** Whether a parameter may be any text as it is, without the quotes of JSON. */
function acceptsText(schema: TSchema): boolean {
  const alternatives: TSchema[] = schema["anyOf"] ?? [schema];
  return alternatives.some(({ type, enum: words }) => type === "string" && !words);
}
