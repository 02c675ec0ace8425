import { isRecord } from "../../../src/core/json/record";
/**
 * Description of a value in the fact files; `lv` and `rm` are the levels of the protocol that added
 * and removed it.
 */
export interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  enum?: unknown[];
  vals?: unknown[];
  oneOf?: Schema[];
  $ref?: string;
  nullable?: boolean;
  lv?: number | null;
  rm?: number;
  cond?: unknown;
  deprecated?: boolean;
  /** Properties that are not required may be missing. */
  isOpen?: boolean;
}

/** Notes the errors of a value, each with its place. */
export interface Findings {
  trail: (string | number)[];
  wrong: string[];
  /** Keys that the facts lack: they are reported, but count less than errors. */
  unknown: string[];
}

/** A schema compiled into code. */
export type Check = (value: unknown, found: Findings) => void;

export const makeFindings = (): Findings => ({ trail: [], wrong: [], unknown: [] });

/** The specification's own names for two things of the protocol: `docs/design.md` section 3. */
const protocolKey: Record<string, string> = { service_feature_level: "zulip_feature_level" };
const protocolValue: Record<string, string> = { service_extra_emoji: "zulip_extra_emoji" };

/** Whether something exists at a level of the protocol. */
export function isLive(
  { lv, rm }: { lv?: number | null; rm?: number },
  level: number,
): "yes" | "not yet" | "removed" {
  if (lv && lv > level) return "not yet";
  return rm !== undefined && rm <= level ? "removed" : "yes";
}

/**
 * Inputs for compiling schemas: named schemas to which others refer, and the level of the protocol.
 */
interface Compiler {
  defs: Record<string, Schema>;
  level: number;
  /** Compiled on first use, because a definition may refer to itself. */
  named: Map<string, Check>;
}

/** Compiles schemas at one level; `defs` are named schemas to which others refer. */
export function makeCompiler(
  defs: Record<string, Schema>,
  level: number,
): (schema: Schema) => Check {
  const compiler: Compiler = { defs, level, named: new Map() };
  return (schema) => compile(compiler, schema);
}

function compile(compiler: Compiler, schema: Schema): Check {
  if (schema.$ref !== undefined) return compileReference(compiler, schema.$ref, schema.nullable);
  const check = schema.oneOf
    ? compileChoice(compiler, schema.oneOf)
    : compilePlain(compiler, schema);
  const isNullable =
    schema.nullable ||
    !(schema.type || schema.oneOf) ||
    schema.oneOf?.some(({ nullable }) => nullable) === true;
  return (value, found) => {
    if (value !== null) check(value, found);
    else if (!isNullable) complain(found, "must not be null");
  };
}

function compileReference(compiler: Compiler, name: string, isNullable?: boolean): Check {
  const { defs, named } = compiler;
  const definition = defs[name];
  if (!definition) throw new Error(`The facts have no definition ${name}.`);
  return (value, found) => {
    if (value === null && isNullable) return;
    const check = named.get(name) ?? compile(compiler, definition);
    named.set(name, check);
    check(value, found);
  };
}

function compileChoice(compiler: Compiler, schemas: Schema[]): Check {
  const nameOf = ({ type, $ref = "" }: Schema) => type ?? compiler.defs[$ref]?.type ?? "";
  const types = schemas.map(nameOf);
  const checks = schemas.map((schema) => compile(compiler, schema));
  return (value, found) => {
    const best = bestOf(checks, value, found.trail);
    if (best.wrong.length > 0 && !types.some((type) => isOfType(value, type))) {
      return complain(found, `${typeName(value)} is none of ${types.join(", ")}`);
    }
    found.wrong.push(...best.wrong);
    found.unknown.push(...best.unknown);
  };
}

function compilePlain(compiler: Compiler, schema: Schema): Check {
  const { type, items } = schema;
  const allowed = schema.enum ?? schema.vals;
  const checkItem = items && compile(compiler, items);
  const checkMembers = compileMembers(compiler, schema);
  return (value, found) => {
    if (type && !isOfType(value, type))
      return complain(found, `must be ${type}, is ${typeName(value)}`);
    if (allowed && !allowed.includes(value) && !allowed.includes(protocolValue[String(value)])) {
      complain(found, `${JSON.stringify(value)} is not among ${JSON.stringify(allowed)}`);
    }
    if (Array.isArray(value)) {
      if (checkItem) value.forEach((item, index) => void at(found, index, checkItem, item));
    } else if (isRecord(value)) checkMembers(value, found);
  };
}

function compileMembers(
  compiler: Compiler,
  schema: Schema,
): (value: Record<string, unknown>, found: Findings) => void {
  const { properties = {}, required = [], additionalProperties, isOpen } = schema;
  const { level } = compiler;
  const checkOther = isRecord(additionalProperties)
    ? compile(compiler, additionalProperties)
    : noteUnknown;
  const members = Object.entries(properties).map(([name, member]) => {
    const [check, live] = [compile(compiler, member), isLive(member, level)];
    return {
      name,
      check: live === "yes" ? check : complainFirst(`is ${live} at level ${level}`, check),
      mustBe:
        live === "yes" &&
        (required.includes(name) || !(member.cond || member.deprecated || isOpen)),
    };
  });
  const known = new Set(Object.keys(properties));
  return (value, found) => {
    const given = renamed(value);
    for (const { name, check, mustBe } of members) {
      const member = given[name];
      if (member !== undefined) at(found, name, check, member);
      else if (mustBe) at(found, name, isMissing, member);
    }
    for (const name in given) if (!known.has(name)) at(found, name, checkOther, given[name]);
  };
}

const isMissing: Check = (_, found) => complain(found, "is missing");
const noteUnknown: Check = (_, found) => void found.unknown.push(placeOf(found));
const complainFirst =
  (what: string, check: Check): Check =>
  (value, found) => {
    complain(found, what);
    check(value, found);
  };

const ourKeys = Object.keys(protocolKey);

function renamed(value: Record<string, unknown>): Record<string, unknown> {
  const ours = ourKeys.filter((key) => Object.hasOwn(value, key));
  if (ours.length === 0) return value;
  const given = { ...value };
  for (const key of ours) {
    given[protocolKey[key] ?? key] = given[key];
    delete given[key];
  }
  return given;
}

/** Runs a check one step deeper inside the value. */
function at(found: Findings, step: string | number, check: Check, value: unknown) {
  found.trail.push(step);
  check(value, found);
  found.trail.pop();
}

export const complain = (found: Findings, what: string) =>
  void found.wrong.push(found.trail.length === 0 ? what : `${placeOf(found)} ${what}`);

/**
 * The place inside the value: `members[].user_id`, without indexes and ids, so that a fault of many
 * items is reported once.
 */
function placeOf({ trail }: Findings): string {
  const steps = trail.map((step) =>
    typeof step === "number" || /^\d+$/.test(step) ? "[]" : `.${step}`,
  );
  return steps.join("").replace(/^\./, "");
}

const isBetter = (one: Findings, other: Findings) =>
  one.wrong.length < other.wrong.length ||
  (one.wrong.length === other.wrong.length && one.unknown.length < other.unknown.length);

/**
 * Findings of the check that fits a value best. Throws where there are no checks to choose from.
 */
export function bestOf(
  checks: readonly Check[],
  value: unknown,
  trail: Findings["trail"] = [],
): Findings {
  let best: Findings | undefined;
  for (const check of checks) {
    const outcome = { ...makeFindings(), trail };
    check(value, outcome);
    if (outcome.wrong.length === 0 && outcome.unknown.length === 0) return outcome;
    if (best === undefined || isBetter(outcome, best)) best = outcome;
  }
  if (best === undefined) throw new Error("A choice of the facts has no forms.");
  return best;
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** Asked for each value of each answer, so it builds no names. */
function isOfType(value: unknown, type: string): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === "object" ? typeName(value) === type : typeof value === type;
}
