import { addLinkifierIn, updateLinkifierIn } from "../../../management/linkifiers/service";
import { type Linkifier, listLinkifiers } from "../../../realm/linkifiers/queries";
import { type NewLinkifier, requireLinkifier } from "../../../realm/linkifiers/validate";
import type { Change } from "../change";
import type { Declarable } from "../declarable";
import { type Dumping, present } from "../dumping";
import {
  type Item,
  openMapping,
  readItems,
  readText,
  readTexts,
  refuseRepeated,
  requireText,
} from "../file/decode";
import { attempt, type Path, type Problem } from "../file/problems";
import type { Planning } from "../planning";

export type DeclaredLinkifier = NewLinkifier;

/** Patterns that become links, identified by the pattern. */
export const linkifiers: Declarable = {
  read: (root) => ({
    linkifiers: readItems(root, "linkifiers").map((item) => readLinkifier(root.problems, item)),
  }),
  // Patterns that differ only by case are different, unlike the names of other objects.
  check(declaration, problems) {
    const patterns = declaration.linkifiers.map(({ pattern }, index) => ({
      path: ["linkifiers", index, "pattern"],
      name: pattern,
      shown: `'${pattern}'`,
    }));
    refuseRepeated(problems, patterns);
  },
  load: async ({ reader, realm }) => ({ linkifiers: await listLinkifiers(reader, realm.id) }),
  plan: planLinkifiers,
  dump: (dumping) => ({ linkifiers: dumpLinkifiers(dumping) }),
};

const keys = [
  "pattern",
  "url_template",
  "example_input",
  "reverse_template",
  "alternative_url_templates",
] as const;

function readLinkifier(problems: Problem[], { path, value }: Item): DeclaredLinkifier {
  const node = openMapping(problems, path, value, "a linkifier", keys);
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

function planLinkifiers({ declaration, stored, changes }: Planning) {
  for (const [index, linkifier] of declaration.linkifiers.entries()) {
    const path = ["linkifiers", index];
    const storedLinkifier = stored.linkifiers.find(({ pattern }) => pattern === linkifier.pattern);
    if (!storedLinkifier) changes.push(addLinkifier(path, linkifier));
    else if (!isSame(storedLinkifier, linkifier))
      changes.push(changeLinkifier(path, storedLinkifier.id, linkifier));
  }
}

const isSame = ({ id: _, ...stored }: Linkifier, declared: Omit<Linkifier, "id">) =>
  Bun.deepEquals(stored, declared);

const shown = ({ pattern, urlTemplate }: DeclaredLinkifier) => `${pattern}: ${urlTemplate}`;

const addLinkifier = (path: Path, linkifier: DeclaredLinkifier): Change => ({
  lines: [`+ linkifier ${shown(linkifier)}`],
  path,
  carryOut: ({ tx, ctx }) => addLinkifierIn(tx, ctx, linkifier),
});

const changeLinkifier = (path: Path, id: number, declared: DeclaredLinkifier): Change => ({
  lines: [`~ linkifier ${shown(declared)}`],
  path,
  carryOut({ tx, ctx }) {
    const { exampleInput, reverseTemplate, ...linkifier } = declared;
    const texts = { exampleInput: exampleInput ?? "", reverseTemplate: reverseTemplate ?? "" };
    return updateLinkifierIn(tx, ctx, { filterId: id, ...linkifier, ...texts });
  },
});

const dumpLinkifiers = ({ stored }: Dumping) =>
  stored.linkifiers.map((linkifier) =>
    present({
      pattern: linkifier.pattern,
      url_template: linkifier.urlTemplate,
      example_input: linkifier.exampleInput ?? undefined,
      reverse_template: linkifier.reverseTemplate ?? undefined,
      alternative_url_templates:
        linkifier.alternativeUrlTemplates.length > 0
          ? linkifier.alternativeUrlTemplates
          : undefined,
    }),
  );
