import { daySeconds } from "../../core/clock";
import { parsedJson } from "../../core/json/parsed-json";
import { isRecord } from "../../core/json/record";
import { quoteBlock, safeLine, settled } from "../incoming-webhooks/safe-text";
import type { Asked, BotAnswer, EmbeddedBot } from "./embedded-bot";

const reportsMax = 200;
const reportLengthMax = 1_000;
/** Days after which reports are deleted, when somebody reports. */
const keptDays = 7;

const help = [
  "I collect what you report in this place, day by day:",
  "* `yesterday the door, today the roof` is your report of today; another one takes its place",
  "* `summary` shows the reports of today, `summary yesterday` those of yesterday",
  "Reports that you may not read are left out, and so are deleted and moved ones.",
].join("\n");

/** Collects the reports of the people of a topic or a conversation, by day in its time zone. */
export const standup: EmbeddedBot = async (asked) => {
  const [, when] = /^summary(?:\s+(today|yesterday))?$/i.exec(asked.text) ?? [undefined, undefined];
  if (/^summary\b/i.test(asked.text))
    return summary(asked, when?.toLowerCase() === "yesterday" ? 1 : 0);
  return asked.text === "" || /^help$/i.test(asked.text) ? { says: help } : report(asked);
};

interface Report {
  userId: number;
  name: string;
  messageId: number;
}

/** The date there, such as 2026-11-21. */
function dayOf({ config, now }: Asked, daysAgo: number): string {
  const timeZone = config["time_zone"] ?? "UTC";
  const parts = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short" });
  return parts.format(new Date((now - daysAgo * daySeconds) * 1000));
}

const keyOf = ({ place }: Asked, day: string) => `reports ${day} ${place}`;

async function report(asked: Asked): Promise<BotAnswer> {
  const day = dayOf(asked, 0);
  const before = await reportsOf(asked, day);
  const { id: userId, fullName: name } = asked.asker;
  if (asked.text.length > reportLengthMax)
    return { says: `A report has at most ${reportLengthMax} characters.` };
  const others = before.filter((one) => one.userId !== userId);
  if (others.length >= reportsMax)
    return { says: `There are ${reportsMax} reports of today already.` };
  const all = [...others, { userId, name, messageId: asked.messageId }];
  const says = others.length < before.length ? "Noted, in place of your report before." : "Noted.";
  const outdated = await outdatedKeys(asked);
  return { says, stores: { [keyOf(asked, day)]: JSON.stringify(all) }, forgets: outdated };
}

async function summary(asked: Asked, daysAgo: number): Promise<BotAnswer> {
  const day = dayOf(asked, daysAgo);
  const reports = await reportsOf(asked, day);
  const texts = await asked.read(reports.map(({ messageId }) => messageId));
  const pieces = reports.flatMap(({ name, messageId }) => {
    const text = texts.get(messageId);
    return text === undefined ? [] : [`**${safeLine(name)}**\n${quoteBlock(text)}`];
  });
  if (pieces.length === 0) return { says: `Nobody has reported on ${day}.` };
  return { says: settled([`Reports of ${day}:`, ...pieces].join("\n\n")) };
}

async function outdatedKeys(asked: Asked): Promise<string[]> {
  const first = dayOf(asked, keptDays);
  const keys = (await asked.list())
    .map(({ key }) => key)
    .filter((key) => key.startsWith("reports "));
  return keys.filter((key) => (key.split(" ")[1] ?? "") < first);
}

async function reportsOf(asked: Asked, day: string): Promise<Report[]> {
  const stored = await asked.find(keyOf(asked, day));
  const reports: unknown = parsedJson(stored ?? "[]");
  return Array.isArray(reports) ? reports.flatMap(readReport) : [];
}

/** Reports of an earlier version name no message, so nobody knows who may read them. */
function readReport(value: unknown): Report[] {
  if (!isRecord(value)) return [];
  const { userId, name, messageId } = value;
  const isReport =
    typeof userId === "number" && typeof name === "string" && typeof messageId === "number";
  return isReport ? [{ userId, name, messageId }] : [];
}
