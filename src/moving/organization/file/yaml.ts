import {
  Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type YAMLError,
} from "yaml";
import type { Path, Position, Problem } from "./problems";

/** A parsed YAML text. */
interface ParsedYaml {
  value: unknown;
  /**
   * Problems that the parser found. The value can only be used if none of them is a syntax error.
   */
  problems: Problem[];
  isReadable: boolean;
  /** Position of a place in the text, or of its closest parent if the place does not exist. */
  positionOf(path: Path): Position;
}

/** Lists of the file whose items take one line each, because they may be long. */
const inLines = new Set(["users", "domains", "playgrounds", "folders", "emoji"]);

/** YAML of an organization's file, which begins with the lines of `head` as comments. */
export function writeYaml(head: readonly string[], value: Record<string, unknown>): string {
  const document = new Document(value, { ...options, aliasDuplicateObjects: false });
  document.commentBefore = head.map((line) => ` ${line}`).join("\n");
  for (const [key, part] of Object.entries(value)) {
    const list = document.get(key);
    if (!Array.isArray(part) || !isSeq(list)) continue;
    for (const item of list.items) if (inLines.has(key) && isCollection(item)) item.flow = true;
  }
  return document.toString({ lineWidth: 0 });
}

/**
 * Highest number of uses of one anchor. An anchor within another anchor counts once for each path
 * to it, because a few lines of nested anchors can represent billions of values.
 */
const aliasUsesMax = 10_000;

/**
 * Options of the parser. YAML 1.2 is used even where a text asks for 1.1, in which `no` is false
 * and `010` is eight. Merge keys (`<<: *usual`) are supported, because many tools write them.
 */
const options = {
  schema: "core",
  merge: true,
  resolveKnownTags: false,
  prettyErrors: false,
  logLevel: "error",
} as const;

/**
 * Parses a YAML text. Only this file loads the parser, because a server that has no organization's
 * file starts faster without it.
 */
export function parseYaml(text: string): ParsedYaml {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { ...options, lineCounter });
  const positionAt = (offset: number): Position => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problemAt = ({ offset, message }: Fault): Problem => ({
    path: [],
    position: positionAt(offset),
    message,
  });
  const positionOf = (path: Path) => positionAt(offsetOf(document, path));
  const fault = syntaxFault(document) ?? aliasFault(document);
  const read = fault ? { fault } : readValue(document);
  return "fault" in read
    ? { value: undefined, problems: [problemAt(read.fault)], isReadable: false, positionOf }
    : { ...read, problems: repeatedKeys(document).map(problemAt), isReadable: true, positionOf };
}

/** A mistake in a text, and the number of characters before it. */
interface Fault {
  offset: number;
  message: string;
}

/**
 * The first mistake that makes a document unreadable. A repeated key does not make it unreadable.
 */
function syntaxFault({ errors }: Document): Fault | undefined {
  const error = errors.find(({ code }) => code !== "DUPLICATE_KEY");
  return error && { offset: error.pos[0], message: syntaxErrorText(error) };
}

function syntaxErrorText({ code, message }: YAMLError): string {
  if (code === "MULTIPLE_DOCS") return "a second document begins here: there may be only one.";
  if (code === "RESOURCE_EXHAUSTION") return "too many lists and mappings are in each other here.";
  return `this is not valid YAML from here on: ${message.replace(/\.$/, "")}.`;
}

/** The first alias that has no anchor before it, or that is within its own anchor. */
function aliasFault({ contents }: Document): Fault | undefined {
  const endsByAnchor = new Map<string, number>();
  return findInside(contents, (node) => {
    if (isNode(node) && !isAlias(node) && node.anchor !== undefined)
      endsByAnchor.set(node.anchor, node.range?.[1] ?? 0);
    if (!isAlias(node)) return undefined;
    const [offset, end] = [startOf(node) ?? 0, endsByAnchor.get(node.source)];
    if (end === undefined) return { offset, message: `there is no &${node.source} before this.` };
    return offset < end
      ? { offset, message: `&${node.source} cannot be a part of itself.` }
      : undefined;
  });
}

/**
 * The first result that `pick` gives for a node, in the order of the text. The parser's own `visit`
 * is not used, because it takes seconds for deep documents.
 */
function findInside<Found>(
  node: unknown,
  pick: (node: unknown) => Found | undefined,
): Found | undefined {
  const found = pick(node);
  if (found !== undefined) return found;
  const children: readonly unknown[] = isPair(node)
    ? [node.key, node.value]
    : isCollection(node)
      ? node.items
      : [];
  for (const child of children) {
    const inside = findInside(child, pick);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

function readValue(document: Document): { value: unknown } | { fault: Fault } {
  try {
    return { value: document.toJS({ maxAliasCount: aliasUsesMax }) };
  } catch (error) {
    // The parser refuses too many aliases with this kind of error.
    if (!(error instanceof ReferenceError)) throw error;
    const message = `aliases stand for more than ${aliasUsesMax} values: write out some of them.`;
    const first = findInside(document.contents, (node) => (isAlias(node) ? node : undefined));
    return { fault: { offset: startOf(first) ?? 0, message } };
  }
}

const repeatedKeys = (document: Document): Fault[] =>
  document.errors.map(({ pos: [offset] }) => ({
    offset,
    message: `${keyAt(document, offset)} is there twice.`,
  }));

/** The key at an offset, for messages. */
const keyAt = ({ contents }: Document, offset: number): string =>
  findInside(contents, (node) =>
    isPair(node) && startOf(node.key) === offset ? keyText(node.key) : undefined,
  ) ?? "a key";

const keyText = (key: unknown) => String(isScalar(key) ? key.value : key);

const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);

function offsetOf(document: Document, path: Path): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const step of path) {
    const child = childOf(isAlias(node) ? node.resolve(document) : node, step);
    if (!child) break;
    offset = startOf(child.start) ?? offset;
    node = child.value;
  }
  return offset;
}

/** A child by its key or index, and the node at its beginning. */
function childOf(node: unknown, step: string | number) {
  if (isMap(node)) {
    const pair = node.items.findLast(({ key }) => keyText(key) === step);
    return pair && { start: pair.key, value: pair.value };
  }
  const item = isSeq(node) && typeof step === "number" ? node.items[step] : undefined;
  return item === undefined ? undefined : { start: item, value: item };
}
