/**
 * Elements that an HTML parser may find in the rendering of a message: each element, its attributes
 * and the form of their values.
 */

type Attributes = Readonly<Record<string, RegExp>>;

const anything = /^/;
const length = String.raw`-?\d*\.?\d+(?:em|%)?`;
const color = "(?:#[0-9a-fA-F]{3,8}|[a-z]+)";
/**
 * Declarations of lengths and colours that KaTeX writes; there is no address and no function among
 * them.
 */
const declaration = String.raw`(?:(?:top|bottom|left|width|height|min-width|vertical-align|margin(?:-left|-right)?|padding-left|border(?:-[a-z]+)*):\s?${length}(?: ${length}| solid| ${color})*|[a-z-]*color:${color}|border(?:-[a-z]+)*-style:(?:solid|dashed)|position:relative)`;
const formulaStyle = new RegExp(`^(?:${declaration};?)*$`);
/** Two slashes name another host, and so do backslashes, which browsers take for slashes. */
const address = /^(?:(?:https?|ftp):\/\/|mailto:|tel:|sms:|\/(?![/\\])|[#?])/i;
const ownFile = /^\/(?:user_uploads|user_avatars|static)\/[^"<>]*$/;

const media: Attributes = {
  src: ownFile,
  alt: anything,
  title: anything,
  class: /^(?:emoji|inline-image)$/,
  "data-original-src": ownFile,
  "data-original-content-type": /^image\/[a-z]+$/,
  "data-original-dimensions": /^\d+x\d+$/,
  "data-animated": /^true$/,
};

const allowed: Readonly<Record<string, Attributes>> = {
  a: {
    href: address,
    title: anything,
    class: /^(?:stream|stream-topic|message-link)$/,
    "data-stream-id": /^\d+$/,
  },
  div: {
    class:
      /^(?:codehilite|spoiler-block|spoiler-header|spoiler-content|message_inline_image(?: message_inline_video)?)$/,
    "data-code-language": anything,
    "aria-hidden": /^true$/,
  },
  span: {
    class: /^[\w .-]+$/,
    style: formulaStyle,
    "aria-label": /^[\w+ -]+$/,
    "aria-hidden": /^true$/,
    title: /^[\w+ -]+$/,
    role: /^img$/,
    "data-user-id": /^(?:\d+|\*)$/,
    "data-user-group-id": /^\d+$/,
  },
  time: { datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ },
  img: media,
  video: { src: ownFile, preload: /^metadata$/ },
  audio: { src: ownFile, preload: /^metadata$/, controls: anything, title: anything },
  ol: { start: /^\d+$/ },
  th: { style: /^text-align: (?:left|center|right);$/ },
  td: { style: /^text-align: (?:left|center|right);$/ },
};

const bare = new Set(
  "p br strong em del code pre h1 h2 h3 h4 h5 h6 hr blockquote ul li table thead tbody tr".split(
    " ",
  ),
);

/** Elements of formulas: their attributes are numbers and words. */
const formulaElements = new Set(
  (
    "math semantics mrow mfrac mi mo mn mroot msqrt mover munder munderover mtable mtr mtd mstyle annotation mpadded mtext " +
    "mspace menclose msup msub msubsup mphantom merror mglyph mlabeledtr svg path line"
  ).split(" "),
);
const formulaAttribute = /^(?!on|href|src|xlink)[a-z0-9-]+$/;
const formulaValue = /^[\w .,:;#%/()+-]*$/;

function isAllowed(tag: string, name: string, value: string): boolean {
  if (formulaElements.has(tag)) {
    if (name === "xmlns")
      return /^http:\/\/www\.w3\.org\/(?:1998\/Math\/MathML|2000\/svg)$/.test(value);
    if (name === "style") return formulaStyle.test(value);
    return formulaAttribute.test(name) && formulaValue.test(value) && !/script|data:/i.test(value);
  }
  return allowed[tag]?.[name]?.test(value) ?? false;
}

/** Parts of a rendering that an HTML parser finds and that may not be there. */
export function violationsIn(html: string): string[] {
  const violations: string[] = [];
  const rewriter = new HTMLRewriter().on("*", {
    element({ tagName, attributes }) {
      const isKnown =
        Object.hasOwn(allowed, tagName) || bare.has(tagName) || formulaElements.has(tagName);
      if (!isKnown) violations.push(`<${tagName}>`);
      for (const [name = "", value = ""] of attributes)
        if (!isAllowed(tagName, name, value)) violations.push(`<${tagName} ${name}="${value}">`);
    },
    comments: () => void violations.push("comment"),
  });
  rewriter.transform(html);
  return violations;
}

/** Elements that have no end. */
const voidElements = new Set(["br", "hr", "img"]);

/**
 * Elements that are opened and not closed, or closed and not open, in HTML that is written out
 * whole; empty when it is balanced.
 */
export function imbalanceOf(html: string): string[] {
  const open: string[] = [];
  for (const [, slash, tag = "", selfClosed] of html.matchAll(
    /<(\/?)([a-z][a-z0-9]*)(?:[^>"]|"[^"]*")*?(\/?)>/g,
  )) {
    if (slash === "") {
      if (!voidElements.has(tag) && selfClosed === "") open.push(tag);
    } else if (open.pop() !== tag) return [`</${tag}>`];
  }
  return open;
}
