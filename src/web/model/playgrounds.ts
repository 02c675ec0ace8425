import type { Playground } from "./wire";

interface PlaceToRun {
  readonly name: string;
  readonly address: string;
}

/** The playgrounds for a language, with the addresses that open the code there. */
export const placesToRun = (
  playgrounds: readonly Playground[],
  language: string | undefined,
  code: string,
): readonly PlaceToRun[] =>
  playgrounds
    .filter(({ pygments_language: of }) => of.toLowerCase() === language?.toLowerCase())
    .flatMap(({ name, url_template }) => {
      const address = addressFor(url_template, code);
      return address === undefined ? [] : [{ name, address }];
    });

const expression = /\{([+#?&]?)code\}/g;

/**
 * The address from an RFC 6570 template whose one variable is the code; undefined if it is not an
 * address that opens a page.
 */
function addressFor(template: string, code: string): string | undefined {
  const value = encodeURIComponent(code);
  const address = template.replaceAll(expression, (_, operator: string) => {
    switch (operator) {
      case "+":
        return encodeURI(code);
      case "#":
        return `#${encodeURI(code)}`;
      case "?":
      case "&":
        return `${operator}code=${value}`;
      default:
        return value;
    }
  });
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : undefined;
}
