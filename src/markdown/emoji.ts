import type { MarkdownIt } from "markdown-it";
import { emojiCode } from "../emoji/table";

const shortName = /:([\w+-]+):/y;
/** As many emoji of one text are shown, the others are text: each takes up to 25 times what was typed. */
const emojiMax = 1_000;
const shownIn = new WeakMap<object, number>();

/** `:tada:` is shown as the emoji of that name; what is no emoji's name is text. */
export function useEmoji(markdown: MarkdownIt) {
  markdown.inline.ruler.after("newline", "emoji", (state, silent) => {
    if (state.src[state.pos] !== ":") return false;
    shortName.lastIndex = state.pos;
    const name = shortName.exec(state.src)?.[1];
    const end = shortName.lastIndex;
    const count = shownIn.get(state.env) ?? 0;
    const isShown = name !== undefined && end <= state.posMax && emojiCode(name) !== undefined && count < emojiMax;
    if (!isShown) return false;
    if (!silent) {
      state.push("emoji", "", 0).content = name;
      shownIn.set(state.env, count + 1);
    }
    state.pos = end;
    return true;
  });
  markdown.renderer.rules["emoji"] = (tokens, index) => {
    const name = tokens[index]?.content ?? "";
    const label = name.replaceAll("_", " ");
    return `<span aria-label="${label}" class="emoji emoji-${emojiCode(name)}" role="img" title="${label}">:${name}:</span>`;
  };
}
