import { type Locale, timeText } from "../core/language";
import { shortened } from "../core/text/shortened";

/** Longer messages are cut to this length. */
const lengthMax = 2_000;

/**
 * The words of a message for a mail, from its HTML. Links are absolute, beginning with `site` where
 * they lead within the organization. Moments are written as the reader reads them. Words under a
 * spoiler stay hidden.
 */
export async function messageText(html: string, site: string, locale: Locale): Promise<string> {
  const { convert } = await import("html-to-text");
  let momentsLength = 0;
  const text = convert(html, {
    wordwrap: false,
    formatters: {
      // The organization's own emoji are pictures; people write them by name.
      emojiName: ({ attribs }, _walk, builder) => builder.addInline(attribs["alt"] ?? ""),
      moment({ attribs, children }, walk, builder) {
        // All that comes after so much text is cut off.
        if (momentsLength > lengthMax) return;
        const milliseconds = Date.parse(attribs["datetime"] ?? "");
        if (Number.isNaN(milliseconds)) return walk(children, builder);
        const text = timeText(milliseconds / 1_000, locale);
        momentsLength += text.length;
        builder.addInline(text);
      },
    },
    selectors: [
      {
        selector: "a",
        options: { baseUrl: site, hideLinkHrefIfSameAsText: true, noAnchorUrl: false },
      },
      { selector: "img", format: "skip" },
      { selector: "img.emoji", format: "emojiName" },
      { selector: "time", format: "moment" },
      // Columns are not aligned, because one wide cell could make each row as wide.
      {
        selector: "tr",
        format: "block",
        options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
      },
      ...["th", "td"].map((selector) => ({
        selector,
        format: "inlineSurround",
        options: { prefix: "| " },
      })),
      { selector: ".spoiler-content", format: "skip" },
      // The HTML contains a formula three times; only its source is kept.
      { selector: ".katex-html", format: "skip" },
      { selector: "mrow", format: "skip" },
      ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
    ],
  });
  return shortened(text, lengthMax);
}
