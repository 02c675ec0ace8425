import { cleanFolder } from "../../channels/channel-folders/service";
import { badRequest } from "../../core/errors";
import { cleanDomain } from "../../management/domains/service";
import { cleanPlayground, type NewPlayground } from "../../management/playgrounds/service";
import { checkedFieldData, knownAccount } from "../../management/profile-fields/field-data";
import { fieldTypes } from "../../management/profile-fields/queries";
import { requireFieldFits } from "../../management/profile-fields/service";
import { type NewLinkifier, requireLinkifier } from "../../realm/linkifiers/validate";
import {
  type Node,
  openMapping,
  readFlag,
  readItems,
  readText,
  readTexts,
  refuseRepeated,
  requireText,
} from "./decode";
import { attempt, type Path, type Problem } from "./problems";

/**
 * Things that an organization has beside people, groups and channels. An undefined part of one was
 * left out: it stays.
 */
export interface DeclaredThings {
  domains: DeclaredDomain[];
  linkifiers: DeclaredLinkifier[];
  playgrounds: NewPlayground[];
  profile_fields: DeclaredProfileField[];
  folders: DeclaredFolder[];
}

export interface DeclaredDomain {
  domain: string;
  allowSubdomains: boolean;
}

export type DeclaredLinkifier = NewLinkifier;

export interface DeclaredProfileField {
  name: string;
  type: number;
  hint: string | undefined;
  /** Details as they are stored; undefined where there is nothing to say of the type. */
  fieldData: string | undefined;
  displayInProfileSummary: boolean | undefined;
  required: boolean | undefined;
  editableByUser: boolean | undefined;
  useForUserMatching: boolean | undefined;
}

export interface DeclaredFolder {
  name: string;
  description: string | undefined;
}

/** Their lists in the file. */
export const thingParts = [
  "domains",
  "linkifiers",
  "playgrounds",
  "profile_fields",
  "folders",
] as const;

/** Reads them; what is wrong is noted with its place. */
export function readThings(root: Node): DeclaredThings {
  const { problems } = root;
  const things = {
    domains: readItems(root, "domains").map((item) => readDomain(problems, item)),
    linkifiers: readItems(root, "linkifiers").map((item) => readLinkifier(problems, item)),
    playgrounds: readItems(root, "playgrounds").map((item) => readPlayground(problems, item)),
    profile_fields: readItems(root, "profile_fields").map((item) =>
      readProfileField(problems, item),
    ),
    folders: readItems(root, "folders").map((item) => readFolder(problems, item)),
  };
  checkKeys(things, problems);
  return things;
}

interface Item {
  path: Path;
  value: unknown;
}

const plain = (text: string) => text.trim();

function readDomain(problems: Problem[], { path, value }: Item): DeclaredDomain {
  const node = openMapping(problems, path, value, "a domain", ["domain", "allow_subdomains"]);
  return {
    domain: requireText(node, "domain", cleanDomain),
    allowSubdomains: readFlag(node, "allow_subdomains") ?? false,
  };
}

const linkifierKeys = [
  "pattern",
  "url_template",
  "example_input",
  "reverse_template",
  "alternative_url_templates",
] as const;

function readLinkifier(problems: Problem[], { path, value }: Item): DeclaredLinkifier {
  const node = openMapping(problems, path, value, "a linkifier", linkifierKeys);
  const linkifier = {
    pattern: requireText(node, "pattern", (text) => text),
    urlTemplate: requireText(node, "url_template", (text) => text),
    exampleInput: readText(node, "example_input", (text) => text) || null,
    reverseTemplate: readText(node, "reverse_template", (text) => text) || null,
    alternativeUrlTemplates: readTexts(node, "alternative_url_templates", (text) => text) ?? [],
  };
  if (linkifier.pattern !== "")
    attempt(problems, [...path, "pattern"], () => requireLinkifier(linkifier));
  return linkifier;
}

function readPlayground(problems: Problem[], { path, value }: Item): NewPlayground {
  const node = openMapping(problems, path, value, "a playground", [
    "name",
    "language",
    "url_template",
  ]);
  const given = {
    name: requireText(node, "name", plain),
    pygmentsLanguage: requireText(node, "language", plain),
    urlTemplate: requireText(node, "url_template", plain),
  };
  if (Object.values(given).includes("")) return given;
  return attempt(problems, [...path, "url_template"], () => cleanPlayground(given)) ?? given;
}

/** `short_text`, `external_account`: the names of the types in the file. */
const typesByName: ReadonlyMap<string, number> = new Map(
  Object.entries(fieldTypes).map(([name, type]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    type,
  ]),
);

/** The name of a type of profile fields, as the file has it. */
export const fieldTypeName = (type: number) =>
  [...typesByName].find(([, one]) => one === type)?.[0] ?? String(type);

/** The type of profile fields that the file has under a name; refuses other names (BAD_REQUEST). */
export function fieldTypeNamed(name: string): number {
  const type = typesByName.get(name);
  if (type !== undefined) return type;
  throw badRequest(`there is no type '${name}'. Types: ${[...typesByName.keys()].join(", ")}.`);
}

const fieldFlags = [
  "display_in_profile_summary",
  "required",
  "editable_by_user",
  "use_for_user_matching",
] as const;
const fieldKeys = ["name", "type", "hint", "field_data", ...fieldFlags];

function readProfileField(problems: Problem[], { path, value }: Item): DeclaredProfileField {
  const node = openMapping(problems, path, value, "a profile field", fieldKeys);
  const type = readFieldType(node);
  const fieldData = readFieldData(node, type);
  const known = fieldData === undefined ? undefined : knownAccount(type, fieldData);
  const field = {
    name: known?.name ?? requireText(node, "name", plain),
    hint: known?.hint ?? readText(node, "hint", plain),
    type,
    fieldData,
    displayInProfileSummary: readFlag(node, "display_in_profile_summary"),
    required: readFlag(node, "required"),
    editableByUser: readFlag(node, "editable_by_user"),
    useForUserMatching: readFlag(node, "use_for_user_matching"),
  };
  const {
    name,
    hint = "",
    displayInProfileSummary: isInSummary = false,
    useForUserMatching: isForMatching = false,
  } = field;
  if (name === "" || type === 0) return field;
  attempt(problems, [...path, "name"], () =>
    requireFieldFits({ type, name, hint, isInSummary, isForMatching }),
  );
  return field;
}

/** The type of a field; 0 where the file does not say a known one. */
function readFieldType(node: Node): number {
  const name = requireText(node, "type", plain);
  return (
    (name === ""
      ? 0
      : attempt(node.problems, [...node.path, "type"], () => fieldTypeNamed(name))) ?? 0
  );
}

function readFieldData({ path, fields, problems }: Node, type: number): string | undefined {
  const given = fields.field_data;
  const needsData = type === fieldTypes.dropdown || type === fieldTypes.externalAccount;
  if (type === 0 || (given === undefined && !needsData)) return undefined;
  const key = given === undefined ? "type" : "field_data";
  return attempt(problems, [...path, key], () => checkedFieldData(type, given));
}

function readFolder(problems: Problem[], { path, value }: Item): DeclaredFolder {
  const node = openMapping(problems, path, value, "a folder", ["name", "description"]);
  return {
    name: requireText(node, "name", (name) => cleanFolder({ name, description: "" }).name),
    description: readText(
      node,
      "description",
      (text) => cleanFolder({ name: "any", description: text }).description,
    ),
  };
}

/** Each is known by a text of its own; two of them would change each other at each apply. */
function checkKeys(
  { domains, linkifiers, playgrounds, profile_fields, folders }: DeclaredThings,
  problems: Problem[],
) {
  const refuse = (part: string, key: string, names: string[]) =>
    refuseRepeated(
      problems,
      names
        .map((name, index) => ({
          path: [part, index, key],
          name: name.toLowerCase(),
          shown: `'${name}'`,
        }))
        .filter(({ name }) => name !== ""),
    );
  const named = ({ name }: { name: string }) => name;
  refuse(
    "domains",
    "domain",
    domains.map(({ domain }) => domain),
  );
  refuseRepeated(
    problems,
    linkifiers.map(({ pattern }, index) => ({
      path: ["linkifiers", index, "pattern"],
      name: pattern,
      shown: `'${pattern}'`,
    })),
  );
  refuse(
    "playgrounds",
    "name",
    playgrounds.map(({ name, pygmentsLanguage }) =>
      name === "" ? "" : `${name} (${pygmentsLanguage})`,
    ),
  );
  refuse("profile_fields", "name", profile_fields.map(named));
  refuse("folders", "name", folders.map(named));
}
