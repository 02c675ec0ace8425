import type { ProfileField } from "../../management/profile-fields/queries";
import { summaryFieldsMax } from "../../management/profile-fields/service";
import type { Linkifier } from "../../realm/linkifiers/queries";
import { type DeclaredProfileField, fieldTypeName } from "./declared-things";
import type { Planning } from "./planning";

/** Domains come before the organization's settings, one of which needs them. */
export function planDomains({ declaration, stored, changes }: Planning) {
  for (const domain of declaration.domains) {
    const known = stored.domains.find((one) => one.domain === domain.domain);
    if (!known) changes.push({ kind: "addDomain", domain });
    else if (known.allowSubdomains !== domain.allowSubdomains)
      changes.push({ kind: "changeDomain", domain });
  }
}

/**
 * Linkifiers by their patterns, playgrounds by name and language, profile fields and folders by
 * their names.
 */
export function planThings(planning: Planning) {
  planLinkifiers(planning);
  planPlaygrounds(planning);
  planProfileFields(planning);
  planFolders(planning);
}

/** Fields that leave the summary go first, so that there is room for the others. */
function planProfileFields(planning: Planning) {
  const fields = planning.declaration.profile_fields.map((field, index) => ({ field, index }));
  const leaves = ({ displayInProfileSummary }: DeclaredProfileField) =>
    displayInProfileSummary === false ? 0 : 1;
  for (const { field, index } of fields.toSorted((a, b) => leaves(a.field) - leaves(b.field))) {
    planProfileField(planning, field, index);
  }
  requireRoomInSummary(planning);
}

function requireRoomInSummary({ declaration, stored, problems }: Planning) {
  const declared = new Map(
    declaration.profile_fields.map((field) => [field.name, field.displayInProfileSummary]),
  );
  const stay = stored.profileFields.filter(
    ({ name, isInSummary }) => isInSummary && declared.get(name) === undefined,
  );
  let room = summaryFieldsMax - stay.length;
  declaration.profile_fields.forEach(({ displayInProfileSummary }, index) => {
    if (!displayInProfileSummary || room-- > 0) return;
    const message = `at most ${summaryFieldsMax} fields are in the profile summary.`;
    problems.push({ path: ["profile_fields", index, "display_in_profile_summary"], message });
  });
}

function planLinkifiers({ declaration, stored, changes }: Planning) {
  for (const linkifier of declaration.linkifiers) {
    const known = stored.linkifiers.find(({ pattern }) => pattern === linkifier.pattern);
    if (!known) changes.push({ kind: "addLinkifier", linkifier });
    else if (!isSame(known, linkifier))
      changes.push({ kind: "changeLinkifier", id: known.id, linkifier });
  }
}

const isSame = ({ id: _, ...known }: Linkifier, declared: Omit<Linkifier, "id">) =>
  Bun.deepEquals(known, declared);

function planPlaygrounds({ declaration, stored, changes }: Planning) {
  for (const playground of declaration.playgrounds) {
    const { name, pygmentsLanguage } = playground;
    const known = stored.playgrounds.find(
      (one) => one.name === name && one.pygmentsLanguage === pygmentsLanguage,
    );
    if (!known) changes.push({ kind: "addPlayground", playground });
    else if (known.urlTemplate !== playground.urlTemplate) {
      changes.push({ kind: "changePlayground", id: known.id, playground });
    }
  }
}

function planProfileField(
  { stored, changes, problems }: Planning,
  field: DeclaredProfileField,
  index: number,
) {
  const known = stored.profileFields.find(({ name }) => name === field.name);
  if (!known) {
    changes.push({ kind: "addProfileField", field });
    return;
  }
  if (known.type !== field.type) {
    const message = `the profile field '${field.name}' is of the type ${fieldTypeName(known.type)}, which stays.`;
    problems.push({ path: ["profile_fields", index, "type"], message });
    return;
  }
  const what = differencesOf(known, field);
  if (what.length > 0) changes.push({ kind: "changeProfileField", id: known.id, field, what });
}

/** The names of what is declared otherwise than it is stored. */
function differencesOf(known: ProfileField, field: DeclaredProfileField): string[] {
  const pairs: [string, unknown, unknown][] = [
    ["hint", field.hint, known.hint],
    ["field_data", field.fieldData, known.fieldData],
    ["display_in_profile_summary", field.displayInProfileSummary, known.isInSummary],
    ["required", field.required, known.isRequired],
    ["editable_by_user", field.editableByUser, known.isEditableByUser],
    ["use_for_user_matching", field.useForUserMatching, known.isForMatching],
  ];
  return pairs
    .filter(([, wanted, now]) => wanted !== undefined && wanted !== now)
    .map(([name]) => name);
}

function planFolders({ declaration, stored, changes }: Planning) {
  for (const folder of declaration.folders) {
    const { name, description } = folder;
    const known = stored.folders.find((one) => !one.isArchived && isNamed(one.name, name));
    if (!known) changes.push({ kind: "addFolder", folder });
    else if (description !== undefined && description !== known.description) {
      changes.push({ kind: "describeFolder", id: known.id, name: known.name, description });
    }
  }
}

const isNamed = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/**
 * Whether a folder of that name is there when the plan is done; a problem of the place where it is
 * not.
 */
export function requireFolder(
  { declaration, stored, problems }: Planning,
  name: string,
  index: number,
): boolean {
  const isDeclared = declaration.folders.some((folder) => isNamed(folder.name, name));
  if (
    isDeclared ||
    stored.folders.some((folder) => !folder.isArchived && isNamed(folder.name, name))
  )
    return true;
  const message = `there is no folder '${name}', here or in the organization.`;
  problems.push({ path: ["channels", index, "folder"], message });
  return false;
}

/** The name of the folder that a channel is in; null for none. */
export const folderNameOf = ({ stored }: Planning, folderId: number | null): string | null =>
  stored.folders.find(({ id }) => id === folderId)?.name ?? null;

/** Whether two names are the same folder's; null is none. */
export const isSameFolder = (one: string | null, other: string | null) =>
  one === other || (one !== null && other !== null && isNamed(one, other));
