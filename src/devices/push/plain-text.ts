import { shortened } from "../../core/text/shortened";

/** Shown length of a message: devices show no more, and push services allow 4 KiB. */
const lengthMax = 200;

const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: " ",
};

const replacement = 0xfffd;

/** The sign of an entity. The server itself writes `&#64;` for an `@` that mentions nobody. */
function entityText(entity: string, name = "", decimal = "", hex = ""): string {
  if (name !== "") return entities[name] ?? entity;
  const code = Number(decimal || `0${hex}`);
  return String.fromCodePoint(code > 0 && code <= 0x10ffff ? code : replacement).toWellFormed();
}

/**
 * Without visual parts: a formula becomes its source, a picture its name, a spoiler a hint that
 * there is one.
 */
const withoutPictures = (html: string): string =>
  new HTMLRewriter()
    .on("span.katex-html, math mrow", { element: (one) => void one.remove() })
    .on("div.spoiler-content", { element: (one) => void one.setInnerContent("(…)") })
    .on("img", {
      element: (one) => void one.replace(one.getAttribute("alt") ?? "", { html: true }),
    })
    .transform(html);

/** The words of a message for a notification, from its HTML. Words under a spoiler stay hidden. */
export function plainText(html: string): string {
  const text = withoutPictures(html)
    .replace(/<(?:br|\/p|\/li|\/div|\/h\d)>\n?/g, "\n")
    .replace(/<[^<>]*>/g, "")
    .replace(/&(?:(amp|lt|gt|quot|nbsp)|#(\d+)|#(x[\da-f]+));/gi, entityText)
    .replace(/\n{2,}/g, "\n")
    .trim();
  return shortened(text, lengthMax);
}
