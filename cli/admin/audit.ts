import { auditActorKinds, auditTargets } from "../../src/core/audit";
import { isoTime } from "../../src/core/clock";
import type { Context } from "../../src/core/context";
import { actsMax, listAuditLog } from "../../src/management/audit-log/service";
import type { WireAct } from "../../src/management/audit-log/wire";
import { loadAccount } from "../../src/moving/organization/lookup";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { formatTable, printableJson, printResult, UsageError } from "../output";
import { readId } from "../read-id";
import { writeLine } from "../stdout";
import { readSeconds } from "./sign-in";

type Choice = RealmOptions & { since?: string; actor?: string; target?: string; type?: string };
type Asked = Parameters<typeof listAuditLog>[1];

/** `chatd admin audit list`: acts, newest first. */
export async function listActs(options: Choice & { limit: string }) {
  const limit = readLimit(options.limit);
  requireReadable(options);
  const { acts, isAll } = await withOperator(options, async (ctx) => {
    const wanted: WireAct[] = [];
    for await (const act of actsOf(ctx, await readChoice(ctx, options), limit + 1))
      wanted.push(act);
    return { acts: wanted.slice(0, limit), isAll: wanted.length <= limit };
  });
  const rows = acts.map((act) => [
    isoTime(act.timestamp),
    actorText(act),
    act.action,
    [act.target.kind, act.target.ids.join(",")].filter((part) => part !== "").join(" "),
    act.address,
    changeText(act),
  ]);
  const table = formatTable(["TIME", "ACTOR", "ACTION", "TARGET", "FROM", "CHANGE"], rows);
  const more = isAll ? [] : [`There are older ones: see more with --limit ${limit * 10}.`];
  printResult(options, { audit_log: acts, found_oldest: isAll }, [...table, ...more]);
}

/** `chatd admin audit export`: all acts, one line of JSON each. */
export async function exportActs(options: Choice) {
  requireReadable(options);
  await withOperator(options, async (ctx) => {
    const asked = await readChoice(ctx, options);
    for await (const act of actsOf(ctx, asked, Number.POSITIVE_INFINITY))
      writeLine(printableJson(act));
  });
}

/** Entries page by page, at most `most` of them. */
async function* actsOf(ctx: Context, asked: Asked, most: number): AsyncGenerator<WireAct> {
  let left = most;
  let beforeId: number | undefined;
  while (left > 0) {
    const more = beforeId === undefined ? {} : { beforeId };
    const page = await listAuditLog(ctx, { ...asked, ...more, limit: Math.min(left, actsMax) });
    yield* page.audit_log;
    left -= page.audit_log.length;
    beforeId = page.audit_log.at(-1)?.id;
    if (page.found_oldest || beforeId === undefined) return;
  }
}

/** Refuses an invalid time or target before any data is opened. */
function requireReadable({ since, target }: Choice) {
  if (since !== undefined) readSince(since, 0);
  if (target !== undefined) readTarget(target);
}

async function readChoice(ctx: Context, options: Choice): Promise<Asked> {
  return {
    ...(options.since === undefined ? {} : { since: readSince(options.since, ctx.now) }),
    ...(options.actor === undefined ? {} : await readActor(ctx, options.actor)),
    ...(options.target === undefined ? {} : readTarget(options.target)),
    ...(options.type === undefined ? {} : { action: options.type }),
  };
}

function readSince(text: string, now: number): number {
  if (!/^\d{4}-/.test(text)) return now - readSeconds(text);
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds))
    throw new UsageError(`'${text}' is no time. Write it like 7d, or like 2026-11-27.`);
  return Math.floor(milliseconds / 1_000);
}

async function readActor(ctx: Context, text: string): Promise<Asked> {
  const actorKind = auditActorKinds.find((kind) => kind === text);
  return actorKind === undefined ? { actorId: (await loadAccount(ctx, text)).id } : { actorKind };
}

function readTarget(text: string): Asked {
  const [given = "", number] = text.split(":");
  const targetKind = auditTargets.find((kind) => kind === given);
  if (targetKind === undefined)
    throw new UsageError(
      `'${given}' is no kind of target. Choose from: ${auditTargets.join(", ")}.`,
    );
  return number === undefined ? { targetKind } : { targetKind, targetId: readId(number) };
}

const limitMax = 100_000;

function readLimit(text: string): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= limitMax) return limit;
  throw new UsageError(`--limit is a number from 1 to ${limitMax}.`);
}

const actorText = ({ actor }: WireAct) =>
  actor.user_id === null ? actor.kind : `${actor.full_name ?? actor.kind} (${actor.user_id})`;

function changeText({ before, after }: WireAct): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .map((name) => {
      const [old, now] = [before[name], after[name]].map((value) => JSON.stringify(value) ?? "");
      return `${name}: ${[old, now].filter((part) => part !== "").join(" → ")}`;
    })
    .join("; ");
}
