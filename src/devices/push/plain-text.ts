/**
 * So much of a message is shown; devices show no more, and what carries notifications takes 4 KiB.
 */
const lengthMax = 200;

const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  nbsp: " ",
};

/**
 * Without what is only for the eye: of a formula its source is left, of a picture its name, of a
 * spoiler that there is one.
 */
const withoutPictures = (html: string): string =>
  new HTMLRewriter()
    .on("span.katex-html, math mrow", { element: (one) => void one.remove() })
    .on("div.spoiler-content", { element: (one) => void one.setInnerContent("(…)") })
    .on("img", {
      element: (one) => void one.replace(one.getAttribute("alt") ?? "", { html: true }),
    })
    .transform(html);

/**
 * The words of a message from the HTML that was made of it, for a notification. Words under a
 * spoiler stay hidden.
 */
export function plainText(html: string): string {
  const text = withoutPictures(html)
    .replace(/<(?:br|\/p|\/li|\/div|\/h\d)>\n?/g, "\n")
    .replace(/<[^<>]*>/g, "")
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? "")
    .replace(/\n{2,}/g, "\n")
    .trim();
  const characters = [...text];
  return characters.length <= lengthMax ? text : `${characters.slice(0, lengthMax).join("")}…`;
}
