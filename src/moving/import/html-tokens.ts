import { QuoteType, Tokenizer } from "htmlparser2";

/** A token of HTML. References such as `&amp;` are decoded. */
export type HtmlToken =
  | { is: "text"; text: string }
  | { is: "start"; name: string; attributes: HtmlAttribute[]; closesItself: boolean }
  | { is: "end"; name: string }
  /** A comment, CDATA, a declaration or a processing instruction. */
  | { is: "other" };

/** Attribute of a start tag. Its name, like those of tags, keeps its case. */
export interface HtmlAttribute {
  name: string;
  value: string;
  quote: "double" | "other" | "noValue";
}

const quotes: Readonly<Record<QuoteType, HtmlAttribute["quote"]>> = {
  [QuoteType.Double]: "double",
  [QuoteType.Single]: "other",
  [QuoteType.Unquoted]: "other",
  [QuoteType.NoValue]: "noValue",
};

/**
 * Calls a function with the tokens of HTML one by one, until it answers false. Answers whether all
 * were accepted and cover the whole text, because the tokenizer skips some broken parts, such as a
 * truncated tag.
 */
export function readHtmlTokens(html: string, take: (token: HtmlToken) => boolean): boolean {
  let tag: { name: string; attributes: HtmlAttribute[] } = { name: "", attributes: [] };
  let tagStart = 0;
  let attribute = { name: "", value: "" };
  let takenTo = 0;
  const hand = (token: HtmlToken, start: number, end: number) => {
    if (start === takenTo && take(token)) takenTo = end;
    else tokenizer.pause();
  };
  const handStart = (closesItself: boolean, end: number) =>
    hand({ is: "start", ...tag, closesItself }, tagStart, end + ">".length);
  const handOther = () => hand({ is: "other" }, takenTo, html.length);
  const tokenizer: Tokenizer = new Tokenizer(
    {},
    {
      ontext: (start, end) => hand({ is: "text", text: html.slice(start, end) }, start, end),
      ontextentity: (code, end) =>
        hand({ is: "text", text: String.fromCodePoint(code) }, takenTo, end),
      onopentagname(start, end) {
        tag = { name: html.slice(start, end), attributes: [] };
        tagStart = start - "<".length;
      },
      onattribname(start, end) {
        attribute = { name: html.slice(start, end), value: "" };
      },
      onattribdata(start, end) {
        attribute.value += html.slice(start, end);
      },
      onattribentity(code) {
        attribute.value += String.fromCodePoint(code);
      },
      onattribend: (quote) => void tag.attributes.push({ ...attribute, quote: quotes[quote] }),
      onopentagend: (end) => handStart(false, end),
      onselfclosingtag: (end) => handStart(true, end),
      onclosetag: (start, end) =>
        hand({ is: "end", name: html.slice(start, end) }, start - "</".length, end + ">".length),
      oncomment: handOther,
      oncdata: handOther,
      ondeclaration: handOther,
      onprocessinginstruction: handOther,
      onend: () => undefined,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return tokenizer.running && takenTo === html.length;
}
