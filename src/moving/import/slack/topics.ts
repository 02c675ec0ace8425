import { lengthsMax } from "../../../protocol/limits";
import { type Given, givenNumber, givenText } from "../json";
import type { SlackPlace } from "./workspace";

/** Time of a message in Slack, which identifies it in its channel. */
export const timeForm = /^\d{9,11}\.\d{1,9}$/;
/** Topic of messages outside threads. */
const mainTopic = "imported from Slack";

/** Topics of threads, each named by the first words of its first message. */
export class ThreadTopics {
  /** Topics of the threads, by the channel and the time of the thread's first message. */
  private readonly topics = new Map<string, string>();
  /** Names in lower case that topics of a channel already have, by channel. */
  private readonly taken = new Set<string>();

  /**
   * The topic of a message in a channel. It must be called for the first message of a thread before
   * it is called for the replies, because that message names the topic.
   */
  of({ folder }: Pick<SlackPlace, "folder">, message: Given, ts: string, content: string): string {
    const root = givenText(message["thread_ts"]);
    const isThread =
      timeForm.test(root) && (root !== ts || givenNumber(message["reply_count"]) > 0);
    if (!isThread) return mainTopic;
    const key = `${folder} ${root}`;
    const day = new Date(Number(root) * 1_000).toISOString().slice(0, 10);
    const words = root === ts ? firstWords(content) : "";
    const topic = this.topics.get(key) ?? this.freeName(folder, words || `Thread of ${day}`);
    this.topics.set(key, topic);
    return topic;
  }

  private freeName(folder: string, wanted: string): string {
    let name = wanted;
    for (let number = 2; this.isTaken(folder, name); number++) {
      const end = ` (${number})`;
      name = `${shortened(wanted, lengthsMax.topic - end.length)}${end}`;
    }
    this.taken.add(`${folder} ${name.toLowerCase()}`);
    return name;
  }

  private isTaken = (folder: string, name: string) =>
    name.toLowerCase() === mainTopic.toLowerCase() ||
    this.taken.has(`${folder} ${name.toLowerCase()}`);
}

/** The first line of a message that has words, without the signs of Markdown. */
function firstWords(content: string): string {
  const lines = content.split("\n").map((line) =>
    line
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replace(/@\*\*([^|*]+)(?:\|\d+)?\*\*/g, "@$1")
      .replace(/#\*\*([^*]+)\*\*/g, "#$1")
      .replace(/^[\s>#*-]+|[*`~]+|[\p{Cc}\p{Cs}]/gu, "")
      .replace(/^\/me /, "")
      .replace(/\s+/g, " ")
      .trim(),
  );
  return shortened(lines.find((line) => /[\p{L}\p{N}]/u.test(line)) ?? "", lengthsMax.topic);
}

/** A text of at most `lengthMax` characters, cut between words if possible. */
function shortened(text: string, lengthMax: number): string {
  const characters = [...text];
  if (characters.length <= lengthMax) return text;
  const cut = characters.slice(0, lengthMax - 1).join("");
  const word = cut.lastIndexOf(" ");
  return `${word > lengthMax / 2 ? cut.slice(0, word) : cut}…`;
}
