import type { NewPlayground } from "../../management/playgrounds/service";
import {
  type DeclaredDomain,
  type DeclaredFolder,
  type DeclaredLinkifier,
  type DeclaredProfileField,
  fieldTypeName,
} from "./declared-things";

/**
 * A change of what an organization has beside people, groups and channels. Stored things are named
 * by their ids.
 */
export type ThingChange =
  | { kind: "addDomain"; domain: DeclaredDomain }
  | { kind: "changeDomain"; domain: DeclaredDomain }
  | { kind: "addLinkifier"; linkifier: DeclaredLinkifier }
  | { kind: "changeLinkifier"; id: number; linkifier: DeclaredLinkifier }
  | { kind: "addPlayground"; playground: NewPlayground }
  | { kind: "changePlayground"; id: number; playground: NewPlayground }
  | { kind: "addProfileField"; field: DeclaredProfileField }
  | { kind: "changeProfileField"; id: number; field: DeclaredProfileField; what: string[] }
  | { kind: "addFolder"; folder: DeclaredFolder }
  | { kind: "describeFolder"; id: number; name: string; description: string };

const kinds: ReadonlySet<string> = new Set<ThingChange["kind"]>([
  ...([
    "addDomain",
    "changeDomain",
    "addLinkifier",
    "changeLinkifier",
    "addPlayground",
    "changePlayground",
  ] as const),
  ...(["addProfileField", "changeProfileField", "addFolder", "describeFolder"] as const),
]);

/** Whether a change is one of these. */
export const isThingChange = (change: { kind: string }): change is ThingChange =>
  kinds.has(change.kind);

const subdomains = ({ allowSubdomains }: DeclaredDomain) =>
  allowSubdomains ? "with subdomains" : "without subdomains";
const playgroundName = ({ name, pygmentsLanguage }: NewPlayground) =>
  `${name} (${pygmentsLanguage})`;

/** A change in a line for a person. */
export function describeThingChange(change: ThingChange): string {
  switch (change.kind) {
    case "addDomain":
      return `+ domain ${change.domain.domain} (${subdomains(change.domain)})`;
    case "changeDomain":
      return `~ domain ${change.domain.domain}: ${subdomains(change.domain)}`;
    case "addLinkifier":
      return `+ linkifier ${change.linkifier.pattern}: ${change.linkifier.urlTemplate}`;
    case "changeLinkifier":
      return `~ linkifier ${change.linkifier.pattern}: ${change.linkifier.urlTemplate}`;
    case "addPlayground":
      return `+ playground ${playgroundName(change.playground)}: ${change.playground.urlTemplate}`;
    case "changePlayground":
      return `~ playground ${playgroundName(change.playground)}: ${change.playground.urlTemplate}`;
    case "addProfileField":
      return `+ profile field ${change.field.name} (${fieldTypeName(change.field.type)})`;
    case "changeProfileField":
      return `~ profile field ${change.field.name}: ${change.what.join(", ")}`;
    case "addFolder":
      return `+ folder ${change.folder.name}`;
    case "describeFolder":
      return `~ folder ${change.name}: description ${JSON.stringify(change.description)}`;
  }
}
