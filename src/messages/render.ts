import { and, asc, desc, eq, sql } from "drizzle-orm";
import { type Reader, statement } from "../../db/reader";
import type { Context, Person, UserRow } from "../core/context";
import { isSystemGroupName, systemGroupTitles } from "../core/group-setting";
import { type Input, record, text } from "../core/params";
import { sees } from "../core/sight";
import type { LinkedChannel } from "../markdown/channel-links";
import { groupsWritten, type MentionedGroup, personsWritten, type WrittenPerson } from "../markdown/mentions";
import { type RenderedMarkdown, renderMarkdown } from "../markdown/render";
import { protocolLimits } from "../realm/limits";
import { findGroupByName } from "../user-groups/queries";
import { onlookerOf } from "../users/onlooker";
import { findUser } from "../users/queries";
import { truncateContent } from "./addressee";

/** As many people of one text are looked up; the names of others stay text. */
const personsMax = 100;

const selectByName = statement((db, t) =>
  db
    .select()
    .from(t.users)
    .where(and(eq(t.users.realmId, sql.placeholder("realmId")), eq(t.users.fullName, sql.placeholder("name"))))
    .orderBy(desc(t.users.isActive), asc(t.users.id))
    .limit(1),
);

/**
 * Renders what the actor writes, with the people whom it names as far as the actor sees them. Reads a statement for each
 * of these, none where the text names nobody.
 */
export async function renderWritten(reader: Reader, ctx: Context, source: string): Promise<RenderedMarkdown> {
  const written = source.includes("@") ? personsWritten(source) : [];
  if (written.length === 0) return renderMarkdown(source);
  const people = await findWritten(reader, ctx.realm.id, written);
  const onlooker = await onlookerOf(
    reader,
    ctx,
    people.map(({ id }) => id),
  );
  return renderWith(
    source,
    people.filter((person) => sees(onlooker, person)),
  );
}

/**
 * Renders what the server itself says: it may name everybody, user groups, and those channels. Others that are written in
 * it stay text: people wrote them, to whom they may be hidden.
 */
export async function renderNotice(
  reader: Reader,
  realmId: number,
  source: string,
  channels: readonly LinkedChannel[],
): Promise<RenderedMarkdown> {
  if (!/[@#]/.test(source)) return renderMarkdown(source);
  const people = await findWritten(reader, realmId, personsWritten(source));
  const groups = await Promise.all(groupsWritten(source).map((name) => findGroupByName(reader, realmId, name)));
  return renderWith(source, people, groups, channels);
}

async function findWritten(reader: Reader, realmId: number, written: WrittenPerson[]): Promise<UserRow[]> {
  const found = await Promise.all(
    written.slice(0, personsMax).map(async ({ name, id }) => {
      if (id !== undefined) return findUser(reader, realmId, id);
      const [person] = await selectByName(reader, { realmId, name });
      return person;
    }),
  );
  return found.filter((person) => person !== undefined);
}

/** An id goes before a name, and both must be the same person's. Of several of one name the one that was found counts. */
function renderWith(
  source: string,
  people: UserRow[],
  groups: (MentionedGroup | undefined)[] = [],
  channels: readonly LinkedChannel[] = [],
): RenderedMarkdown {
  return renderMarkdown(source, {
    group(name) {
      const group = groups.find((one) => one?.name === name);
      return group && { ...group, name: isSystemGroupName(name) ? systemGroupTitles[name] : name };
    },
    channel: (name) => channels.find((channel) => channel.name === name),
    person: (name, id) =>
      people.find((person) =>
        id === undefined ? person.fullName === name : person.id === id && (name === "" || person.fullName === name),
      ),
  });
}

export const RenderMessage = record({ content: text() });

/** Renders Markdown as a message of the actor's would be, cut to its longest length, and stores nothing. */
export async function renderMessage(
  ctx: Context<Person>,
  { content }: Input<typeof RenderMessage>,
): Promise<{ rendered: string }> {
  const source = truncateContent(content, protocolLimits.maxMessageLength);
  return { rendered: (await renderWritten(ctx.reader, ctx, source)).html };
}
