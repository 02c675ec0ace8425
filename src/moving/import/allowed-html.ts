/*
 * The HTML that our renderer writes, as lists: its elements, its attributes, and rules for values
 * that could load something, lead elsewhere or cover the page. HTML from another server is taken
 * over only where it is within these, because then it is known what a browser makes of it.
 */

/** Elements that our renderer writes, formulas included. They are written in small letters. */
export const allowedTags: ReadonlySet<string> = new Set(
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

const nameOfData = /^data-[a-z-]+$/;

/** Complete addresses: without its slashes `https:` leads to a place of the page's own server. */
const schemes = /^(?:(?:https?|ftp):\/\/|mailto:|tel:|sms:)/i;
/** An address of this server, or of a place within the page. */
const ownAddress = /^(?:\/(?![/\\])|#|\?)/;
const ownFile = /^\/(?:user_uploads|user_avatars|static|emoji)\//;
/** Control characters, because browsers pass over them in addresses. */
const notInAddresses = /\p{Cc}/u;
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

const isLink = (value: string) =>
  !notInAddresses.test(value) && (ownAddress.test(value) || schemes.test(value));
const isOwnFile = (value: string) => !notInAddresses.test(value) && ownFile.test(value);
const isPaint = (value: string) => paint.test(value);

/** Attributes whose value is restricted; those of formulas and all others may have any. */
const valueRules: Readonly<Record<string, (value: string) => boolean>> = {
  href: isLink,
  src: isOwnFile,
  "data-original-src": isOwnFile,
  style: isSafeStyle,
  fill: isPaint,
  stroke: isPaint,
};

/** Whether our renderer may write an attribute, given its name in small letters and its value. */
export const isAllowedAttribute = (name: string, value: string): boolean =>
  (attributes.has(name) || nameOfData.test(name)) && (valueRules[name]?.(value) ?? true);

/** Elements that have no end. */
export const voidTags: ReadonlySet<string> = new Set(["br", "hr", "img", "source"]);
/**
 * Elements that may close themselves, in formulas and drawings; browsers take all others for open
 * whatever the end of their tag.
 */
export const selfClosingTags: ReadonlySet<string> = new Set([
  ...voidTags,
  "mspace",
  "mglyph",
  "path",
  "line",
]);
