import { type Static, Type } from "@sinclair/typebox";
import { and, asc, eq, gt, inArray, type SQLWrapper, sql } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import type { Schema } from "../../../db/schema";
import type { Tx } from "../../core/context";
import { makePace } from "../../core/turns/turn";
import { defineJob } from "../../jobs/define";
import {
  charactersPerTurn,
  htmlBytesMax,
  renderDescription,
  renderMarkdown,
} from "../../markdown/render";
import { namesShown } from "../../markdown/shown-names";
import { parseProfileData } from "../../people/users/profile-data";

/**
 * Descriptions, profile texts and waiting messages store their HTML too. Each `register` sends all
 * of it to everybody, or to its owner. A text whose HTML an older version has made larger than
 * allowed is rendered again. Clients see the new HTML at their next register.
 */

/** Number of rows that one run checks by size, and number of large ones that one write changes. */
const rowsPerRun = 1_000;
const rowsPerBatch = 20;

const Place = Type.Object({ table: Type.Integer({ minimum: 0 }), after: Type.Integer() });

interface Size {
  id: number;
  bytes: number;
}

/** A row with too large HTML: its source and its HTML. */
interface Oversized {
  id: number;
  source: string;
  stored: string;
}

/** A column of HTML: its place in the database, and how one of its values is made and replaced. */
interface HtmlColumn {
  bytesMax: number;
  at(t: Schema): HtmlPlace;
  render(row: Oversized): string;
  replace(tx: Tx, realmId: number, row: Oversized, html: string): Promise<unknown>;
}

interface HtmlPlace {
  table: Schema["channels" | "channelFolders" | "users" | "scheduledMessages" | "reminders"];
  source: SQLWrapper;
  html: SQLWrapper;
}

/**
 * Renders HTML again that is larger than allowed, a batch of one table in each run. Announces
 * nothing.
 */
export const shrinkHtmlJob = defineJob("shrink_html", Place, async (ctx, place) => {
  const { reader, realm } = ctx;
  const column = htmlColumns[place.table];
  if (!column) return undefined;
  const at = column.at(reader.t);
  const sizes = await sizesAfter(reader, at, realm.id, place.after);
  const large = sizes.filter(({ bytes }) => bytes > column.bytesMax).slice(0, rowsPerBatch);
  const ids = large.map(({ id }) => id);
  const pace = makePace(charactersPerTurn);
  const changed: { row: Oversized; html: string }[] = [];
  for (const row of await rowsOf(reader, at, realm.id, ids)) {
    changed.push({ row, html: column.render(row) });
    await pace(row.source.length);
  }
  return async (tx) => {
    for (const { row, html } of changed) await column.replace(tx, realm.id, row, html);
    return { payload: nextPlace(place, sizes, ids), at: tx.now };
  };
});

function nextPlace(
  { table, after }: Static<typeof Place>,
  sizes: readonly Size[],
  large: readonly number[],
) {
  const last = (large.length === rowsPerBatch ? large : sizes.map(({ id }) => id)).at(-1);
  return last === undefined
    ? { table: table + 1, after: 0 }
    : { table, after: Math.max(after, last) };
}

/** The sizes of the rows after a given one. */
function sizesAfter(
  { db }: Reader,
  { table, html }: HtmlPlace,
  realmId: number,
  after: number,
): Promise<Size[]> {
  return db
    .select({ id: table.id, bytes: sql<number>`octet_length(${html})`.mapWith(Number) })
    .from(table)
    .where(and(eq(table.realmId, realmId), gt(table.id, after)))
    .orderBy(asc(table.id))
    .limit(rowsPerRun);
}

async function rowsOf(
  { db }: Reader,
  { table, source, html }: HtmlPlace,
  realmId: number,
  ids: number[],
) {
  if (ids.length === 0) return [];
  return db
    .select({ id: table.id, source: sql<string>`${source}`, stored: sql<string>`${html}` })
    .from(table)
    .where(and(eq(table.realmId, realmId), inArray(table.id, ids)));
}

/** Descriptions of channels and of their folders. */
const descriptions = (
  tableIn: (t: Schema) => Schema["channels"] | Schema["channelFolders"],
): HtmlColumn => ({
  bytesMax: htmlBytesMax.description,
  at(t) {
    const table = tableIn(t);
    return { table, source: table.description, html: table.renderedDescription };
  },
  render: ({ source }) => renderDescription(source),
  async replace({ db, t }, realmId, { id, stored }, renderedDescription) {
    const table = tableIn(t);
    await db
      .update(table)
      .set({ renderedDescription })
      .where(
        and(eq(table.realmId, realmId), eq(table.id, id), eq(table.renderedDescription, stored)),
      );
  },
});

/**
 * Scheduled messages and reminders: names keep the meaning that they had when these were written.
 */
const waiting = (
  tableIn: (t: Schema) => Schema["scheduledMessages"] | Schema["reminders"],
): HtmlColumn => ({
  bytesMax: htmlBytesMax.message,
  at(t) {
    const table = tableIn(t);
    return { table, source: table.content, html: table.renderedContent };
  },
  render: ({ source, stored }) => renderMarkdown(source, namesShown(stored)).html,
  async replace({ db, t }, realmId, { id, stored }, renderedContent) {
    const table = tableIn(t);
    await db
      .update(table)
      .set({ renderedContent })
      .where(and(eq(table.realmId, realmId), eq(table.id, id), eq(table.renderedContent, stored)));
  },
});

/** The profiles of people: JSON with the HTML of several texts. */
const profiles: HtmlColumn = {
  bytesMax: htmlBytesMax.description,
  at: ({ users }) => ({ table: users, source: users.profileData, html: users.profileData }),
  render({ source }) {
    const values = Object.entries(parseProfileData({ profileData: source })).map(
      ([field, answer]) => {
        const isLarge = Buffer.byteLength(answer.rendered_value ?? "") > htmlBytesMax.description;
        return [
          field,
          isLarge ? { ...answer, rendered_value: renderDescription(answer.value) } : answer,
        ];
      },
    );
    return JSON.stringify(Object.fromEntries(values));
  },
  async replace({ db, t: { users } }, realmId, { id, stored }, profileData) {
    await db
      .update(users)
      .set({ profileData })
      .where(and(eq(users.realmId, realmId), eq(users.id, id), eq(users.profileData, stored)));
  },
};

/** In the order of processing. */
const htmlColumns: readonly HtmlColumn[] = [
  descriptions((t) => t.channels),
  descriptions((t) => t.channelFolders),
  profiles,
  waiting((t) => t.scheduledMessages),
  waiting((t) => t.reminders),
];
