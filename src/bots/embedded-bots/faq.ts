import { parsedJson } from "../../core/json/parsed-json";
import { isRecord } from "../../core/json/record";
import { plainLine, safeLine, withoutMentions } from "../incoming-webhooks/safe-text";
import type { Asked, BotAnswer, EmbeddedBot } from "./embedded-bot";

const prefix = "answer ";
const answersMax = 500;
const nameLengthMax = 100;

const help = [
  "I answer what I have been taught:",
  "* `learn office hours: Monday to Friday, 9 to 5` teaches me an answer, or a better one",
  "* `office hours?`, or a question with these words, brings it back",
  "* `forget office hours` makes me forget it",
  "* `list` shows all that I know",
].join("\n");

/**
 * Answers questions with texts that it was taught. A text has a name, and answers questions that
 * contain all words of the name.
 */
export const faq: EmbeddedBot = async (asked) => {
  const { text } = asked;
  const [, name = "", answer = ""] = /^learn\s+(?=\S)([^:\n]+):([\s\S]+)$/i.exec(text) ?? [];
  if (answer !== "") return learn(asked, plainLine(name), answer.trim());
  const [, forgotten = ""] = /^forget\s+(?=\S)(.+)$/i.exec(text) ?? [];
  if (forgotten !== "") return forget(asked, plainLine(forgotten));
  if (/^list$/i.test(text)) return list(asked);
  return text === "" || /^help$/i.test(text) ? { says: help } : answerTo(asked);
};

const keyOf = (name: string) => prefix + name.toLowerCase();

interface Lesson {
  name: string;
  answer: string;
  /** User who has taught it; undefined for one of an earlier version. */
  teacherId: number | undefined;
}

const refusal: BotAnswer = { says: "Only my owner and administrators teach me." };

const mayTeach = ({ config, isTrusted }: Asked) => isTrusted || config["teachers"] === "everyone";

async function learn(asked: Asked, name: string, answer: string): Promise<BotAnswer> {
  if (!mayTeach(asked)) return refusal;
  if (name.length > nameLengthMax)
    return { says: `A name has at most ${nameLengthMax} characters.` };
  const learned = await lessons(asked);
  const isNew = learned.every((one) => keyOf(one.name) !== keyOf(name));
  if (isNew && learned.length >= answersMax)
    return { says: `I know ${answersMax} answers already: let me forget some.` };
  const says = isNew
    ? `I have learned what to say about **${safeLine(name)}**.`
    : `I know better now: **${safeLine(name)}**.`;
  const lesson: Lesson = { name, answer, teacherId: asked.asker.id };
  return { says, stores: { [keyOf(name)]: JSON.stringify(lesson) } };
}

async function forget(asked: Asked, name: string): Promise<BotAnswer> {
  if (!mayTeach(asked)) return refusal;
  if ((await asked.find(keyOf(name))) === undefined) return unknown(name);
  return { says: `I have forgotten **${safeLine(name)}**.`, forgets: [keyOf(name)] };
}

const unknown = (name: string): BotAnswer => ({
  says: `I know nothing about **${safeLine(name)}**. \`list\` shows what I know.`,
});

async function list(asked: Asked): Promise<BotAnswer> {
  const names = (await lessons(asked))
    .map(({ name }) => name)
    .sort((one, other) => one.localeCompare(other));
  return {
    says:
      names.length === 0
        ? "I know nothing yet."
        : names.map((name) => `* ${safeLine(name)}`).join("\n"),
  };
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Of several matching texts, the one with the most words. */
async function answerTo(asked: Asked): Promise<BotAnswer> {
  const asking = new Set(wordsOf(asked.text));
  const fitting = (await lessons(asked)).filter(({ name }) => {
    const words = wordsOf(name);
    return words.length > 0 && words.every((word) => asking.has(word));
  });
  const [best] = fitting.sort(
    (one, other) => wordsOf(other.name).length - wordsOf(one.name).length,
  );
  if (!best) return unknown(asked.text);
  return { says: withoutMentions(best.answer), authorId: best.teacherId ?? formerTeacher(asked) };
}

/** The teacher of a lesson that does not name one: its owner, unless everybody teaches it. */
const formerTeacher = ({ config, ownerId }: Asked) =>
  config["teachers"] === "everyone" ? null : ownerId;

async function lessons({ list: all }: Asked): Promise<Lesson[]> {
  return (await all())
    .filter(({ key }) => key.startsWith(prefix))
    .flatMap(({ value }) => readLesson(value));
}

/** The stored text may come from somebody with the bot's key. */
function readLesson(value: string): Lesson[] {
  const lesson: unknown = parsedJson(value);
  if (!isRecord(lesson)) return [];
  const { name, answer, teacherId: teacher } = lesson;
  const teacherId = typeof teacher === "number" ? teacher : undefined;
  return typeof name === "string" && typeof answer === "string"
    ? [{ name, answer, teacherId }]
    : [];
}
