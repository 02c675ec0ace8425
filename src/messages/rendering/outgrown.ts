import { type Static, Type } from "@sinclair/typebox";
import { and, asc, eq, gt, inArray, type SQLWrapper, sql } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import type { Schema } from "../../../db/schema";
import type { Tx } from "../../core/context";
import { makePace } from "../../core/turn";
import { defineJob } from "../../jobs/define";
import { charactersPerTurn, htmlBytesMax, renderDescription, renderMarkdown } from "../../markdown/render";
import { namesShown } from "../../markdown/shown-names";
import { parseProfileData } from "../../users/profile-data";

/*
 * Descriptions, texts of profiles and what waits to be sent keep their HTML too, and everybody, or their owner, is sent all of
 * it with each `register`. What an older version has made larger than it may be is rendered anew, so that it does not stay so
 * for good. Clients see it when they register the next time.
 */

/** How many rows are looked at in one run, by their sizes alone, and how many of the large ones are changed in one write. */
const rowsPerLook = 1_000;
const rowsPerBatch = 20;

const Place = Type.Object({ table: Type.Integer({ minimum: 0 }), after: Type.Integer() });

interface Size {
  id: number;
  bytes: number;
}

/** A row whose HTML is too large: its source and its HTML. */
interface Outgrown {
  id: number;
  source: string;
  stored: string;
}

/** A column of HTML: how large it is in the rows that come after one, the large ones, and how one is replaced. */
interface HtmlColumn {
  bytesMax: number;
  sizes(reader: Reader, realmId: number, after: number): Promise<Size[]>;
  rows(reader: Reader, realmId: number, ids: number[]): Promise<Outgrown[]>;
  render(row: Outgrown): string;
  replace(tx: Tx, realmId: number, row: Outgrown, html: string): Promise<unknown>;
}

/** Has what is larger than it may be rendered anew, a batch of one table for each run. Announces nothing. */
export const shrinkHtmlJob = defineJob("shrink_html", Place, async (ctx, place) => {
  const { reader, realm } = ctx;
  const column = htmlColumns[place.table];
  if (!column) return undefined;
  const sizes = await column.sizes(reader, realm.id, place.after);
  const large = sizes.filter(({ bytes }) => bytes > column.bytesMax).slice(0, rowsPerBatch);
  const ids = large.map(({ id }) => id);
  const pace = makePace(charactersPerTurn);
  const changed: { row: Outgrown; html: string }[] = [];
  for (const row of ids.length === 0 ? [] : await column.rows(reader, realm.id, ids)) {
    changed.push({ row, html: column.render(row) });
    await pace(row.source.length);
  }
  return async (tx) => {
    for (const { row, html } of changed) await column.replace(tx, realm.id, row, html);
    return { payload: nextPlace(place, sizes, ids), at: tx.now };
  };
});

function nextPlace({ table, after }: Static<typeof Place>, sizes: readonly Size[], large: readonly number[]) {
  const last = (large.length === rowsPerBatch ? large : sizes.map(({ id }) => id)).at(-1);
  return last === undefined ? { table: table + 1, after: 0 } : { table, after: Math.max(after, last) };
}

const bytesOf = (column: SQLWrapper) => sql<number>`octet_length(${column})`.mapWith(Number);

/** Descriptions of channels and of their folders. */
const descriptions = (tableIn: (t: Schema) => Schema["channels"] | Schema["channelFolders"]): HtmlColumn => ({
  bytesMax: htmlBytesMax.description,
  async sizes({ db, t }, realmId, after) {
    const table = tableIn(t);
    return db
      .select({ id: table.id, bytes: bytesOf(table.renderedDescription) })
      .from(table)
      .where(and(eq(table.realmId, realmId), gt(table.id, after)))
      .orderBy(asc(table.id))
      .limit(rowsPerLook);
  },
  async rows({ db, t }, realmId, ids) {
    const table = tableIn(t);
    return db
      .select({ id: table.id, source: table.description, stored: table.renderedDescription })
      .from(table)
      .where(and(eq(table.realmId, realmId), inArray(table.id, ids)));
  },
  render: ({ source }) => renderDescription(source),
  async replace({ db, t }, realmId, { id, stored }, renderedDescription) {
    const table = tableIn(t);
    await db
      .update(table)
      .set({ renderedDescription })
      .where(and(eq(table.realmId, realmId), eq(table.id, id), eq(table.renderedDescription, stored)));
  },
});

/** Messages that are to be sent later, and reminders: names mean what they meant when they were written. */
const waiting = (tableIn: (t: Schema) => Schema["scheduledMessages"] | Schema["reminders"]): HtmlColumn => ({
  bytesMax: htmlBytesMax.message,
  async sizes({ db, t }, realmId, after) {
    const table = tableIn(t);
    return db
      .select({ id: table.id, bytes: bytesOf(table.renderedContent) })
      .from(table)
      .where(and(eq(table.realmId, realmId), gt(table.id, after)))
      .orderBy(asc(table.id))
      .limit(rowsPerLook);
  },
  async rows({ db, t }, realmId, ids) {
    const table = tableIn(t);
    return db
      .select({ id: table.id, source: table.content, stored: table.renderedContent })
      .from(table)
      .where(and(eq(table.realmId, realmId), inArray(table.id, ids)));
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

/** The profiles of people: JSON that holds the HTML of several texts. */
const profiles: HtmlColumn = {
  bytesMax: htmlBytesMax.description,
  async sizes({ db, t: { users } }, realmId, after) {
    return db
      .select({ id: users.id, bytes: bytesOf(users.profileData) })
      .from(users)
      .where(and(eq(users.realmId, realmId), gt(users.id, after)))
      .orderBy(asc(users.id))
      .limit(rowsPerLook);
  },
  async rows({ db, t: { users } }, realmId, ids) {
    return db
      .select({ id: users.id, source: users.profileData, stored: users.profileData })
      .from(users)
      .where(and(eq(users.realmId, realmId), inArray(users.id, ids)));
  },
  render({ source }) {
    const values = Object.entries(parseProfileData({ profileData: source })).map(([field, told]) => {
      const isLarge = Buffer.byteLength(told.rendered_value ?? "") > htmlBytesMax.description;
      return [field, isLarge ? { ...told, rendered_value: renderDescription(told.value) } : told];
    });
    return JSON.stringify(Object.fromEntries(values));
  },
  async replace({ db, t: { users } }, realmId, { id, stored }, profileData) {
    await db
      .update(users)
      .set({ profileData })
      .where(and(eq(users.realmId, realmId), eq(users.id, id), eq(users.profileData, stored)));
  },
};

/** In the order in which they are looked through. */
const htmlColumns: readonly HtmlColumn[] = [
  descriptions((t) => t.channels),
  descriptions((t) => t.channelFolders),
  profiles,
  waiting((t) => t.scheduledMessages),
  waiting((t) => t.reminders),
];
