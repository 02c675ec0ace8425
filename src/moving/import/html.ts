import { mapAttribute, type TextMap } from "./texts";

/*
 * HTML from another server is taken over only where it is what our renderer writes: then what a browser makes of it is known.
 * It is read by a grammar far stricter than that of browsers, so that both mean the same by it.
 */

const tags = new Set(
  (
    "p br hr h1 h2 h3 h4 h5 h6 strong em del code pre span div a img video audio source ul ol li blockquote table thead " +
    "tbody tr th td time math semantics annotation mrow mi mo mn ms mtext mspace msup msub msubsup mfrac msqrt mroot " +
    "munder mover munderover mtable mtr mtd mlabeledtr mpadded mphantom mstyle menclose mglyph svg path line"
  ).split(" "),
);

const attributes = new Set(
  (
    "class href src alt title datetime start style controls preload role aria-hidden aria-label xmlns encoding display " +
    "width height viewbox preserveaspectratio d x1 x2 y1 y2 stroke-width fill stroke fence stretchy accent " +
    "accentunder columnalign columnspacing rowspacing mathvariant mathsize mathcolor mathbackground scriptlevel " +
    "displaystyle separator lspace rspace minsize maxsize linethickness notation voffset depth columnlines rowlines"
  ).split(" "),
);

const isAttribute = (name: string) =>
  attributes.has(name.toLowerCase()) || /^data-[a-z-]+$/.test(name);

/** Complete addresses: without its slashes `https:` leads to a place of the page's own server. */
const schemes = /^(?:(?:https?|ftp):\/\/|mailto:|tel:|sms:)/i;
/** An address of this server, or of a place within the page. */
const ownAddress = /^(?:\/(?![/\\])|#|\?)/;
const ownFile = /^\/(?:user_uploads|user_avatars|static|emoji)\//;
/**
 * Control characters, which browsers pass over in addresses, and references to characters that our
 * renderer does not write.
 */
const notInAddresses = /\p{Cc}|&(?!(?:lt|gt|quot|amp);)/u;
/** A colour of a drawing: no address of a pattern. */
const paint = /^[#\w]*$/;
/**
 * Lengths, colours and names: nothing that loads anything, and nothing that lies over what is not
 * the message.
 */
const styleForm = /^\s*([a-z-]+):\s*([a-z0-9.%#+ -]+)$/i;
const stylesOfFormulas =
  /^(?:top|bottom|left|right|(?:min-|max-)?(?:width|height)|vertical-align|(?:margin|padding)(?:-[a-z]+)?|border(?:-[a-z]+)*|(?:background-)?color|text-align|position)$/i;
const standsInPlace = /^relative\s*$/i;

const isSafeStyle = (style: string) =>
  style.split(";").every((part) => {
    if (part.trim() === "") return true;
    const [whole, name = "", value = ""] = styleForm.exec(part) ?? [];
    if (whole === undefined || !stylesOfFormulas.test(name)) return false;
    return name.toLowerCase() !== "position" || standsInPlace.test(value);
  });

const signs: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&amp;": "&",
};
const decode = (text: string) =>
  text.replace(/&(?:lt|gt|quot|amp);/g, (sign) => signs[sign] ?? sign);

function isSafeValue(name: string, value: string): boolean {
  switch (name) {
    case "href":
      return (
        !notInAddresses.test(value) &&
        (ownAddress.test(decode(value)) || schemes.test(decode(value)))
      );
    case "src":
    case "data-original-src":
      return !notInAddresses.test(value) && ownFile.test(decode(value));
    case "style":
      return isSafeStyle(value);
    case "fill":
    case "stroke":
      return paint.test(value);
    default:
      return true;
  }
}

const text = /[^<]+/y;
const closing = /<\/([a-zA-Z][a-zA-Z0-9]*)>/y;
const opening = /<([a-zA-Z][a-zA-Z0-9]*)((?: [a-zA-Z][a-zA-Z0-9:-]*(?:="[^"<>]*")?)*) ?\/?>/y;
const attribute = / ([a-zA-Z][a-zA-Z0-9:-]*)(?:="([^"<>]*)")?/g;

const voids = new Set(["br", "hr", "img", "source"]);
/**
 * In formulas and drawings these may close themselves; browsers take other tags for open whatever
 * their end.
 */
const selfClosing = new Set([...voids, "mspace", "mglyph", "path", "line"]);

/** A piece of HTML, and the tag that it opens or closes. */
interface Piece {
  length: number;
  mapped: string;
  opens?: string;
  closes?: string;
}

/**
 * Rendered HTML with the ids of here; undefined where it is anything that our renderer does not
 * write.
 */
export function mapHtml(map: TextMap, html: string): string | undefined {
  const parts: string[] = [];
  const open: string[] = [];
  for (let at = 0; at < html.length; ) {
    const piece = nextPiece(map, html, at);
    if (!piece || (piece.closes !== undefined && open.pop() !== piece.closes)) return undefined;
    if (piece.opens !== undefined) open.push(piece.opens);
    parts.push(piece.mapped);
    at += piece.length;
  }
  return open.length === 0 ? parts.join("") : undefined;
}

function nextPiece(map: TextMap, html: string, at: number): Piece | undefined {
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(html);
  };
  const [plain] = match(text) ?? [];
  if (plain !== undefined) return { length: plain.length, mapped: plain };
  const [closed, closedTag = ""] = match(closing) ?? [];
  if (closed !== undefined) {
    return tags.has(closedTag)
      ? { length: closed.length, mapped: closed, closes: closedTag }
      : undefined;
  }
  const [whole, tag = "", list = ""] = match(opening) ?? [];
  const mapped = whole === undefined || !tags.has(tag) ? undefined : mapAttributes(map, list);
  if (whole === undefined || mapped === undefined) return undefined;
  const closesItself = whole.endsWith("/>");
  if (closesItself && !selfClosing.has(tag)) return undefined;
  const piece = { length: whole.length, mapped: whole.replace(list, () => mapped) };
  return voids.has(tag) || closesItself ? piece : { ...piece, opens: tag };
}

function mapAttributes(map: TextMap, list: string): string | undefined {
  let isSafe = true;
  const mapped = list.replace(attribute, (whole, name: string, value?: string) => {
    if (!isAttribute(name)) isSafe = false;
    if (value === undefined) return whole;
    const shifted = mapAttribute(map, name.toLowerCase(), value);
    if (!isSafeValue(name.toLowerCase(), shifted)) isSafe = false;
    return ` ${name}="${shifted}"`;
  });
  return isSafe ? mapped : undefined;
}
