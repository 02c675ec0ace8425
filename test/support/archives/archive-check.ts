import type { Unpacked } from "../../../src/moving/import/tarball";
import { type FieldFact, plainTypes, readArchiveFacts } from "./archive-facts";

type Row = Record<string, unknown>;

const facts = readArchiveFacts();
const messageFile = "messages-*.json";
/** The tables of people are one for those who refer to a person. */
const people = [
  "zerver_userprofile",
  "zerver_userprofile_mirrordummy",
  "zerver_userprofile_crossrealm",
];

/** Everything in which an archive differs from the facts of its form, in words. */
export async function archiveProblems(files: Unpacked): Promise<string[]> {
  const problems: string[] = [];
  const { tables, messageFiles } = await readTables(files, problems);
  const ids = new Map<string, Set<unknown>>();
  for (const [name, rows] of tables) ids.set(name, new Set(rows.map(({ id }) => id)));
  const persons = new Set(people.flatMap((name) => [...(ids.get(name) ?? [])]));
  for (const name of people) ids.set(name, persons);
  for (const [name, { fields }] of facts) {
    for (const row of tables.get(name) ?? []) problems.push(...rowProblems(name, row, fields, ids));
    const numbers = (tables.get(name) ?? []).map(({ id }) => id).filter((id) => id !== undefined);
    if (new Set(numbers).size < numbers.length) problems.push(`${name} has an id twice`);
  }
  for (const [index, name] of messageFiles.toSorted().entries()) {
    const expected = `messages-${String(index + 1).padStart(6, "0")}.json`;
    if (name !== expected) problems.push(`${name} stands where ${expected} should be`);
  }
  problems.push(...fileProblems(files, tables));
  return [...new Set(problems)];
}

async function readTables(files: Unpacked, problems: string[]) {
  const tables = new Map<string, Row[]>();
  const messageFiles = [...files.names].filter((name) => /^messages-\d+\.json$/.test(name));
  for (const [name, { file }] of facts) {
    const names = file === messageFile ? messageFiles : [file];
    const rows: Row[] = [];
    for (const one of names) {
      const content = (await files.json(one)) as Row | Row[] | undefined;
      const list = Array.isArray(content) ? content : content?.[name];
      if (Array.isArray(list)) rows.push(...list);
      else problems.push(`${one} has no list ${name}`);
    }
    tables.set(name, rows);
  }
  const known = new Set([...facts.keys(), "import_source"]);
  for (const file of new Set([...facts.values()].map((fact) => fact.file))) {
    const content = file === messageFile ? {} : await files.json(file);
    if (content === undefined) problems.push(`${file} is missing`);
    for (const name of Array.isArray(content) ? [] : Object.keys(content ?? {}))
      if (!known.has(name)) problems.push(`${file} has ${name}, of which no fact is known`);
  }
  return { tables, messageFiles };
}

function rowProblems(
  table: string,
  row: Row,
  fields: ReadonlyMap<string, FieldFact>,
  ids: ReadonlyMap<string, Set<unknown>>,
): string[] {
  const problems = Object.keys(row)
    .filter((field) => !fields.has(field))
    .map((field) => `${table}.${field} is no field`);
  for (const [field, fact] of fields) {
    const value = row[field];
    if (value === undefined) {
      if (!fact.mayBeMissing) problems.push(`${table}.${field} is missing`);
    } else if (value === null) {
      if (!fact.isNullable && fact.type !== "json") problems.push(`${table}.${field} is null`);
    } else {
      const values = fact.isList && Array.isArray(value) ? value : [value];
      const isRight = values.every((one) => isOfType(one, fact.type, ids));
      if (!isRight) problems.push(`${table}.${field} is ${JSON.stringify(value)}`);
    }
  }
  return problems;
}

function isOfType(value: unknown, type: string, ids: ReadonlyMap<string, Set<unknown>>): boolean {
  if (!plainTypes.includes(type)) return ids.get(type)?.has(value) ?? false;
  switch (type) {
    case "integer":
      return Number.isSafeInteger(value);
    case "time":
      return typeof value === "number" && value > 0 && value < 2 ** 33;
    case "text":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    default:
      return true;
  }
}

/** References that fields cannot show: recipients, codes of emoji, permissions, paths of files. */
function fileProblems(files: Unpacked, tables: ReadonlyMap<string, Row[]>): string[] {
  const rowsOf = (name: string) => tables.get(name) ?? [];
  const idsOf = (name: string) => new Set(rowsOf(name).map(({ id }) => id));
  const targets: Record<number, Set<unknown>> = {
    2: idsOf("zerver_stream"),
    3: idsOf("zerver_huddle"),
  };
  const emoji = new Map(rowsOf("zerver_realmemoji").map(({ id, name }) => [String(id), name]));
  const paths = new Set(rowsOf("records of uploads").map(({ path }) => path));
  const folders = ["uploads", "avatars", "emoji"].flatMap((folder) =>
    rowsOf(`records of ${folder}`).map(({ path }) => `${folder}/${path}`),
  );
  const icons = rowsOf("records of icons").map(({ path }) => `realm_icons/${path}`);
  return [
    ...rowsOf("zerver_recipient")
      .filter(({ type, type_id }) => !targets[Number(type)]?.has(type_id))
      .map((row) => `a recipient leads nowhere: ${JSON.stringify(row)}`),
    ...[...rowsOf("zerver_reaction"), ...rowsOf("zerver_userstatus")]
      .filter(({ reaction_type }) => reaction_type === "realm_emoji")
      .filter(({ emoji_code, emoji_name }) => emoji.get(String(emoji_code)) !== emoji_name)
      .map((row) => `an emoji is not there: ${JSON.stringify(row)}`),
    ...rowsOf("zerver_attachment")
      .filter(({ path_id }) => !paths.has(path_id))
      .map(({ path_id }) => `there is no record of ${path_id}`),
    ...[...folders, ...icons].filter((name) => files.path(name) === undefined),
  ];
}
