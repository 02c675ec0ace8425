import type { RE2JS } from "re2js";
import { ApiError } from "../../core/errors";
import {
  isWebTemplate,
  linkifierProblem,
  templateVariables,
  webTemplatesOnly,
} from "../../markdown/linkifiers";
import { compileExpression } from "../../markdown/re2";
import type { Linkifier } from "./queries";
import { fillReverse, reverseVariables } from "./template";

export type NewLinkifier = Omit<Linkifier, "id">;

const textLengthMax = 2_000;
/**
 * Patterns of an organization must differ, for which there is an index, whose entries have a size
 * limit.
 */
const patternLengthMax = 500;
const alternativesMax = 20;

/** Refusals name the errors by field, as forms do, or for all fields together. */
export const refused = (message: string, field = "__all__") =>
  new ApiError("BAD_REQUEST", message, 400, { errors: { [field]: [message] } });

/**
 * Refuses (BAD_REQUEST) a pattern that is not a regular expression of RE2 or is too large;
 * templates that are invalid, do not lead to the web, or have variables that are not groups of the
 * pattern; and a reverse template that does not reproduce the example. The work is bounded for any
 * pattern. Source: `docs/protocol/specification.md`, POST /realm/filters; recorded behaviour of the
 * reference server.
 */
export function requireLinkifier(linkifier: NewLinkifier): void {
  requireLengths(linkifier);
  const problem = linkifierProblem(linkifier);
  if (problem)
    throw refused(problem.reason.replace("missing closing", "missing"), fields[problem.field]);
  const expression = compileExpression(linkifier.pattern);
  const groups = Object.keys(expression.namedGroups());
  requireAlternatives(groups, linkifier.alternativeUrlTemplates);
  requireExample(expression, linkifier);
}

const fields = { pattern: "pattern", urlTemplate: "url_template", both: "__all__" } as const;

function requireLengths({
  pattern,
  urlTemplate,
  reverseTemplate,
  exampleInput,
  alternativeUrlTemplates,
}: NewLinkifier) {
  if (urlTemplate === "") throw refused("This field cannot be blank.", "url_template");
  if ([...pattern].length > patternLengthMax) {
    throw refused(`A pattern has at most ${patternLengthMax} characters.`, "pattern");
  }
  const others = [
    urlTemplate,
    reverseTemplate ?? "",
    exampleInput ?? "",
    ...alternativeUrlTemplates,
  ];
  if (others.some(({ length }) => length > textLengthMax)) {
    throw refused(`Templates and examples have at most ${textLengthMax} characters.`);
  }
}

function requireAlternatives(groups: readonly string[], templates: readonly string[]) {
  const field = "alternative_url_templates";
  if (templates.length > alternativesMax) {
    throw refused(`A linkifier has at most ${alternativesMax} alternative URL templates.`, field);
  }
  for (const template of templates) {
    const variables = templateVariables(template);
    if (!variables) throw refused("Invalid URL template.", field);
    if (!isWebTemplate(template)) throw refused(webTemplatesOnly, field);
    const unknown = [...variables].find((name) => !groups.includes(name));
    if (unknown === undefined) continue;
    throw refused(`Group '${unknown}' in URL template is not present in linkifier pattern.`, field);
  }
}

/** Checks that the reverse template with the variables of the example reproduces the example. */
function requireExample(expression: RE2JS, { reverseTemplate, exampleInput }: NewLinkifier) {
  if (exampleInput === null) {
    if (reverseTemplate === null) return;
    throw refused("A reverse template needs an example input.", "example_input");
  }
  const match = expression.matcher(exampleInput);
  if (!match.matches())
    throw refused("The pattern does not match the example input.", "example_input");
  if (reverseTemplate === null) return;
  const variables = reverseVariables(reverseTemplate);
  if (!variables) throw refused("Invalid reverse template.", "reverse_template");
  const groups = Object.keys(expression.namedGroups());
  const unknown = variables.find((name) => !groups.includes(name));
  if (unknown !== undefined) {
    throw refused(
      `Group '${unknown}' in reverse template is not present in linkifier pattern.`,
      "reverse_template",
    );
  }
  const values = Object.fromEntries(groups.map((name) => [name, match.group(name)]));
  if (fillReverse(reverseTemplate, values) === exampleInput) return;
  throw refused("The reverse template does not give the example input back.", "reverse_template");
}
