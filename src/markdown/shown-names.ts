import type { LinkedChannel, MentionedGroup, MentionedPerson, Names } from "./names";

const personShown = /<span class="user-mention( silent)?" data-user-id="(\d+)">@?([^<]*)<\/span>/g;
const groupShown =
  /<span class="user-group-mention( silent)?" data-user-group-id="(\d+)">@?([^<]*)<\/span>/g;
const linkShown =
  /<a class="(stream|stream-topic|message-link)"[^>]* href="\/#narrow\/channel\/(\d+)-[^"]*">#([^<]*)/g;
const emojiShown =
  /<span aria-label="[^"]*" class="emoji emoji-([0-9a-f-]+)" role="img" title="[^"]*">:([^<]*):<\/span>/g;

/**
 * Meanings that the names of a text had when it was rendered, from its HTML, so that the text still
 * mentions people who were renamed since. `html` is the output of `renderMarkdown`.
 */
export function namesShown(html: string): Names {
  const people = mentioned(html, personShown);
  const groups = mentioned(html, groupShown);
  const links = [...html.matchAll(linkShown)].map(([, kind = "", id = "", text = ""]) => ({
    isWhole: kind === "stream",
    id: Number(id),
    text: decodeText(text),
  }));
  const emoji = new Map(
    [...html.matchAll(emojiShown)].map(([, code = "", name = ""]) => [name, code]),
  );
  return {
    unicodeEmoji: (name) => emoji.get(name),
    person(name, id): MentionedPerson | undefined {
      const found = people.find(
        (one) => (id === undefined || id === one.id) && (name === "" || name === one.name),
      );
      return found && { id: found.id, fullName: found.name, isActive: found.isActive };
    },
    group: (name): MentionedGroup | undefined => groups.find((one) => one.name === name),
    channel(name): LinkedChannel | undefined {
      const found = links.find(({ isWhole, text }) =>
        isWhole ? text === name : text.startsWith(`${name} > `),
      );
      return found && { id: found.id, name };
    },
  };
}

/**
 * The mentions in HTML. A person whose every mention was silent is mentioned silently again,
 * because the source, a quotation or the person's deactivation has made the mentions silent.
 */
function mentioned(html: string, pattern: RegExp): MentionedGroup[] {
  const found = new Map<number, MentionedGroup>();
  for (const [, silent, id = "", name = ""] of html.matchAll(pattern)) {
    const isActive = silent === undefined || found.get(Number(id))?.isActive === true;
    found.set(Number(id), { id: Number(id), name: decodeText(name), isActive });
  }
  return [...found.values()];
}

const signs: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&amp;": "&",
};

const decodeText = (text: string) =>
  text.replace(/&(?:lt|gt|quot|amp);/g, (sign) => signs[sign] ?? sign);
