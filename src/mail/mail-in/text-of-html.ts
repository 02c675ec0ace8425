/**
 * Length of HTML that is read: mail programs show no more either, and it takes half a second at
 * worst.
 */
const htmlLengthMax = 100_000;
const nestingDepthMax = 100;
const childrenMax = 10_000;

const answeredMail = [
  "blockquote[type=cite]",
  "div.gmail_quote",
  "div.yahoo_quoted",
  "#appendonsend",
  "#divRplyFwdMsg",
];
/** Brackets around the address of a link, after its text. */
const linkBrackets: [string, string] = ["<", ">"];
const signatures = ["div.gmail_signature", "#Signature"];

/** The text of a mail in HTML, with links as in Markdown. */
export async function textOfHtml(
  html: string,
  { keepQuotes, keepSignature }: { keepQuotes: boolean; keepSignature: boolean },
) {
  const { convert } = await import("html-to-text");
  const left = [...(keepQuotes ? [] : answeredMail), ...(keepSignature ? [] : signatures), "img"];
  return convert(html.slice(0, htmlLengthMax), {
    wordwrap: false,
    limits: { maxDepth: nestingDepthMax, maxChildNodes: childrenMax },
    selectors: [
      ...left.map((selector) => ({ selector, format: "skip" })),
      { selector: "a", options: { hideLinkHrefIfSameAsText: true, linkBrackets } },
      ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
      // Tables are not aligned in columns, because that takes time that grows with the square of
      // their rows.
      { selector: "tr", format: "block", options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
      ...["td", "th"].map((selector) => ({
        selector,
        format: "inlineSurround",
        options: { suffix: " " },
      })),
    ],
  });
}
