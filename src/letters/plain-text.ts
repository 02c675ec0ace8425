/** Of longer messages the beginning is shown. */
const lengthMax = 2_000;

/**
 * The words of a message from the HTML that was made of it, as a mail shows it; links are complete,
 * beginning with `site` where they lead within the organization. Words under a spoiler stay hidden.
 */
export async function messageText(html: string, site: string): Promise<string> {
  const { convert } = await import("html-to-text");
  const text = convert(html, {
    wordwrap: false,
    selectors: [
      {
        selector: "a",
        options: { baseUrl: site, hideLinkHrefIfSameAsText: true, noAnchorUrl: false },
      },
      { selector: "img", format: "skip" },
      { selector: ".spoiler-content", format: "skip" },
      // A formula stands there three times: what is left is how it was written.
      { selector: ".katex-html", format: "skip" },
      { selector: "mrow", format: "skip" },
      ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
    ],
  });
  const characters = [...text];
  return characters.length <= lengthMax ? text : `${characters.slice(0, lengthMax).join("")}…`;
}
