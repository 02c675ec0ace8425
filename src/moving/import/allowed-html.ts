/*
 * The HTML that our renderer writes, as lists: its elements, its attributes, and rules for values
 * that could load something, lead elsewhere or cover the page. HTML from another server is imported
 * only within these lists, because its effect in a browser is then known.
 */

/** Elements that our renderer writes, including formulas. In lower case. */
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

/**
 * Beginnings of complete addresses. The slashes are required, because an `https:` address without
 * them is relative to the page's own server.
 */
const schemes = /^(?:(?:https?|ftp):\/\/|mailto:|tel:|sms:)/i;
/** An address of this server, or of a place within the page. */
const ownAddress = /^(?:\/(?![/\\])|#|\?)/;
const ownFile = /^\/(?:user_uploads|user_avatars|static|emoji)\//;
/** Control characters, because browsers ignore them in addresses. */
const notInAddresses = /\p{Cc}/u;
/** A colour of a drawing, not the address of a pattern. */
const paint = /^[#\w]*$/;
/**
 * Lengths, colours and names as values of a style: nothing that loads data, and nothing that can
 * cover other parts of the page.
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

/**
 * Attributes whose value is restricted; all others, including those of formulas, may have any
 * value.
 */
const valueRules: Readonly<Record<string, (value: string) => boolean>> = {
  href: isLink,
  src: isOwnFile,
  "data-original-src": isOwnFile,
  style: isSafeStyle,
  fill: isPaint,
  stroke: isPaint,
};

/** Whether our renderer may write an attribute, by its name in lower case and its value. */
export const isAllowedAttribute = (name: string, value: string): boolean =>
  (attributes.has(name) || nameOfData.test(name)) && (valueRules[name]?.(value) ?? true);

/** Elements without an end tag. */
export const voidTags: ReadonlySet<string> = new Set(["br", "hr", "img", "source"]);
/**
 * Elements that may close themselves in formulas and drawings. Browsers treat all other elements as
 * open, even with `/>`.
 */
export const selfClosingTags: ReadonlySet<string> = new Set([
  ...voidTags,
  "mspace",
  "mglyph",
  "path",
  "line",
]);
