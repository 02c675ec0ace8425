import type { MarkdownIt, StateCore } from "markdown-it";
import type { RE2JS } from "re2js";
import { parseTemplate, type Template } from "url-template";
import { findAddresses } from "./bare-addresses";
import { makeBudget } from "./budget";
import { namesIn } from "./names";
import { compileExpression } from "./re2";
import { type Found, linkTokens, replaceInText } from "./text-tokens";

/** A pattern of the organization, with the address of its matches. */
export interface Linkifier {
  /** The pattern, in the syntax of RE2, with named groups. */
  pattern: string;
  /** An RFC 6570 template whose variables are the named groups. */
  urlTemplate: string;
}

/** A link in a topic's name. */
export interface TopicLink {
  text: string;
  url: string;
}

/** Size limit of a compiled pattern, because the time for a text grows with it. */
const programSizeMax = 200;
/** Number of matches of one text that are linked. */
const spend = makeBudget(500);
/**
 * Limit for the work on one text: instructions of a pattern times characters of the text. Beyond it
 * linkifiers link nothing.
 */
const spendWork = makeBudget(2_000_000);
/**
 * Form of the allowed addresses of linkifiers. An address without slashes would be relative to the
 * page, and other schemes run code or open programs.
 */
const webAddress = /^https?:\/\/(?![/\\])/i;
/** Greatest length of an address that browsers allow. */
const addressLengthMax = 2_000;
/**
 * Length limit of all addresses in one topic's name together, because each message of the topic
 * contains them.
 */
const topicAddressesLengthMax = 7_000;

/** Text that may stand before a match, so that the match is not part of a word. */
const before = String.raw`(?:^|[\s\x{85}\pZ'"(,:<])`;
const after = String.raw`(?:$|[^\pL\pN])`;
const wholeGroup = "chatd_whole_match";

interface Compiled {
  expression: RE2JS;
  template: Template;
  groups: string[];
  size: number;
}

interface Match {
  start: number;
  end: number;
  text: string;
  url: string;
}

/**
 * Limit for the cached linkifiers, by pattern and template. They are cached because compiling one
 * takes some milliseconds. An invalid pattern links nothing.
 */
const compiledMax = 1_000;
const compiledBy = new Map<string, Compiled | undefined>();

function compileOnce(linkifier: Linkifier): Compiled | undefined {
  const key = `${linkifier.pattern}\0${linkifier.urlTemplate}`;
  if (compiledBy.has(key)) return compiledBy.get(key);
  const [oldest] = compiledBy.keys();
  if (compiledBy.size >= compiledMax && oldest !== undefined) compiledBy.delete(oldest);
  const compiled = tryCompile(linkifier);
  compiledBy.set(key, compiled);
  return compiled;
}

function tryCompile(linkifier: Linkifier): Compiled | undefined {
  try {
    return compile(linkifier);
  } catch {
    return undefined;
  }
}

function compile({ pattern, urlTemplate }: Linkifier): Compiled {
  const expression = compileExpression(`${before}(?P<${wholeGroup}>${pattern})${after}`);
  const groups = Object.keys(expression.namedGroups()).filter((name) => name !== wholeGroup);
  return {
    expression,
    template: parseTemplate(urlTemplate),
    groups,
    size: expression.programSize(),
  };
}

/** Reason why a linkifier is invalid, with the field to correct; undefined for a valid one. */
export function linkifierProblem({
  pattern,
  urlTemplate,
}: Linkifier): { field: "pattern" | "urlTemplate" | "both"; reason: string } | undefined {
  if (pattern === "") return { field: "pattern", reason: "This field cannot be blank." };
  const expression = compilePattern(pattern);
  if (typeof expression === "string")
    return { field: "both", reason: `Bad regular expression: ${expression}` };
  const variables = templateVariables(urlTemplate);
  if (!variables) return { field: "urlTemplate", reason: "Invalid URL template." };
  if (!isWebTemplate(urlTemplate)) return { field: "urlTemplate", reason: webTemplatesOnly };
  const groups = new Set(Object.keys(expression.namedGroups()));
  const missing = [...variables].find((name) => !groups.has(name));
  if (missing !== undefined)
    return {
      field: "both",
      reason: `Group '${missing}' in URL template is not present in linkifier pattern.`,
    };
  const unused = [...groups].find((name) => !variables.has(name));
  if (unused !== undefined)
    return {
      field: "both",
      reason: `Group '${unused}' in linkifier pattern is not present in URL template.`,
    };
  return undefined;
}

/** Whether a template always gives a web address, for any values of its variables. */
export const isWebTemplate = (template: string) => webAddress.test(template);
export const webTemplatesOnly = "A URL template begins with http:// or https://.";

/** A compiled pattern, or the reason why it cannot be used. */
function compilePattern(pattern: string): RE2JS | string {
  try {
    const expression = compileExpression(pattern);
    if (expression.matches("")) return `it matches the empty text: ${pattern}`;
    if (expression.programSize() > programSizeMax) return `it is too large: ${pattern}`;
    compileExpression(`${before}(?P<${wholeGroup}>${pattern})${after}`);
    return expression;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.replace(/^error parsing regexp: /, "").replaceAll("`", "");
  }
}

const expressionInTemplate = /\{([^{}]*)\}/g;
const variableList = /^[+#./;?&]?([\w%.]+(?:\*|:\d{1,4})?(?:,[\w%.]+(?:\*|:\d{1,4})?)*)$/;

/** The variables of an RFC 6570 template; undefined for an invalid one. */
export function templateVariables(template: string): ReadonlySet<string> | undefined {
  if (/[{}]/.test(template.replace(expressionInTemplate, ""))) return undefined;
  const names = new Set<string>();
  for (const [, expression = ""] of template.matchAll(expressionInTemplate)) {
    const list = variableList.exec(expression)?.[1];
    if (list === undefined) return undefined;
    for (const variable of list.split(",")) names.add(variable.replace(/(?:\*|:\d+)$/, ""));
  }
  return names;
}

/**
 * Links the matches of the organization's linkifiers in running text. Of overlapping matches, that
 * of the earlier linkifier is linked.
 */
export function useLinkifiers(markdown: MarkdownIt) {
  markdown.core.ruler.push("linkifiers", (state) => {
    for (const linkifier of namesIn(state.env).linkifiers ?? [])
      replaceInText(state, (text) => findInText(state, linkifier, text));
  });
}

function findInText(state: StateCore, linkifier: Linkifier, text: string): Found[] {
  return findMatches(linkifier, text, state.env).map(({ start, end, text: shown, url }) => ({
    start,
    end,
    tokens: linkTokens(state, url, shown),
  }));
}

/**
 * The links in a topic's name, in the order of the text: matches of linkifiers, and bare web
 * addresses with a scheme. Of overlapping matches, that of the earlier linkifier is used.
 */
export function topicLinks(topic: string, linkifiers: readonly Linkifier[]): TopicLink[] {
  const env = {};
  const found: Match[] = [];
  const add = (match: Match) => {
    if (found.every(({ start, end }) => match.end <= start || match.start >= end))
      found.push(match);
  };
  for (const linkifier of linkifiers)
    for (const match of findMatches(linkifier, topic, env)) add(match);
  if (topic.includes("://"))
    for (const { schema, raw, index, lastIndex } of findAddresses(topic))
      if (schema === "http:") add({ start: index, end: lastIndex, text: raw, url: raw });
  let length = 0;
  return found
    .toSorted((a, b) => a.start - b.start)
    .map(({ text, url }) => ({ text, url }))
    .filter(({ url }) => {
      length += url.length;
      return length <= topicAddressesLengthMax;
    });
}

function findMatches(linkifier: Linkifier, text: string, env: object): Match[] {
  const compiled = compileOnce(linkifier);
  if (!compiled || !spendWork(env, compiled.size * text.length)) return [];
  const matcher = compiled.expression.matcher(text);
  const matches: Match[] = [];
  for (let position = 0; position < text.length && matcher.find(position); ) {
    const [start, end] = [matcher.start(wholeGroup), matcher.end(wholeGroup)];
    if (end <= start) break;
    const values = compiled.groups.map((name): [string, string] => [
      name,
      (matcher.group(name) ?? "").toWellFormed(),
    ]);
    const url = compiled.template.expand(Object.fromEntries(values));
    const isLinked = webAddress.test(url) && url.length <= addressLengthMax && spend(env, 1);
    if (isLinked) matches.push({ start, end, text: text.slice(start, end), url });
    position = end;
  }
  return matches;
}
