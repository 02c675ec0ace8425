/**
 * The traits of a table stand beside its columns in `db/schema/<feature>.ts`. Code that exports,
 * imports, backs up or deletes rows, or caches results of them, uses these traits and has no list
 * of tables. `tables.ts` finds tables by their traits, and `test/db/tables.test.ts` fails where
 * traits are missing.
 *
 * A table with `realm_id` needs no trait for the deletion of its organization, because its rows are
 * always deleted then.
 */
export type Traits<Key extends string = string> = Base<Key> & Exported;

interface Base<Key extends string> {
  of: Owner;
  /**
   * Contents of columns that need care when rows move: ids of other rows, texts, files, secrets.
   */
  holds?: { readonly [Column in Key]?: Holding };
  /** Required for each table that names people. */
  onPersonDeleted?: OnPersonDeleted;
  /** Required for each table with the id of a message. */
  onMessageDeleted?: OnMessageDeleted;
  changes?: Changes;
  /** The reason why backups leave the rows out. Without it they are in all of them. */
  notInBackup?: string;
}

/** Whether exports contain the rows, and if not, the reason. */
type Exported = { exported: true } | { notExported: string };

/**
 * Owner of these rows. A partial export has only rows that its readers may see.
 *
 * - `server`: of the whole installation. Only these tables and `realms` have no `realm_id`.
 * - `realm`: everybody in the organization sees them.
 * - `administrators`: administrators of the organization see them.
 * - `owners`: owners of the organization see them.
 * - `channel`, `conversation`, `message`: everybody who may read the object of `channelId`,
 *   `conversationId` or `messageId`.
 * - `person`: only the person with the id `userId`, or `ownerId`.
 * - `bot`: the bot with the id `userId`, and its owner.
 * - `nobody`: data of the server about its own work.
 */
export type Owner =
  | "server"
  | "realm"
  | "administrators"
  | "owners"
  | "channel"
  | "conversation"
  | "message"
  | "person"
  | "bot"
  | "nobody";

/**
 * The fate of rows when a person is deleted permanently. A row belongs to the person in the first
 * column that `holds` declares as a person's id.
 *
 * - `remove`: the deletion removes them.
 * - `end`: they are removed before, when the account is deactivated, because their feature has more
 *   to do then.
 * - `keep`: they stay, for the given reason. The person is only a number by then.
 */
type OnPersonDeleted = "remove" | "end" | { keep: string };

/**
 * The fate of rows when the message with the id `messageId` is deleted.
 *
 * - `remove`: the deletion removes them.
 * - `otherwise`: they stay, or are removed differently, for the given reason.
 */
type OnMessageDeleted = "remove" | { otherwise: string };

/**
 * Whether a write notes in the realm's log that it has changed the table. Only rows of such tables
 * may be cached (`src/memory/`).
 *
 * - `logged`, the default: always.
 * - `loggedUnlessNew`: not for new rows, because an event announces each new row.
 * - `notLogged`: never. The table grows with people's activity. Either the log has an entry for
 *   each row, or nothing caches rows of the table.
 */
export type Changes = "logged" | "loggedUnlessNew" | "notLogged";

/** The content of a column. Numbers, times and single lines of plain text need no declaration. */
export type Holding =
  /**
   * The id of a row of that table. `nullIfGone`: the row is still valid without it. `keptIfGone`:
   * the row stays and names it even if it is gone. `zero`: 0 means something other than a row.
   */
  | { is: "id"; of: string; nullIfGone?: true; keptIfGone?: true; zero?: true }
  /** A number or text that looks like an id and names no row of ours. */
  | { is: "noId" }
  /** A place among messages or in the log, whether or not a row exists there. */
  | { is: "place"; of: "messages" | "event_log" }
  /** The number of a block of message ids in the read state. */
  | { is: "block" }
  /** Ids of people, separated by commas. */
  | { is: "people" }
  /** A JSON list of ids of people. */
  | { is: "peopleJson" }
  /** A JSON list of the ids of channels or of people, by the row's `type`. */
  | { is: "target" }
  /** Markdown, which may name people, channels and messages. */
  | { is: "markdown" }
  /** HTML of the Markdown in the earlier column `from`, with the length limit of its kind. */
  | { is: "html"; from: string; length: "message" | "description" }
  /** JSON of permissions by name, which name groups and people. */
  | { is: "groupSettings" }
  /** JSON of an organization's settings, which name groups and channels. */
  | { is: "realmSettings" }
  /** JSON of profile fields by id. */
  | { is: "profile" }
  /** A JSON list of ids of objects of the kind `target_kind` of the audit log. */
  | { is: "auditTargets" }
  /** JSON of values before and after an act of the audit log, which name objects by ids. */
  | { is: "auditDetails" }
  /** The code of an emoji: an id if the row's `reaction_type` is that of realm emoji. */
  | { is: "emojiCode" }
  /** JSON of a widget, which may name people. */
  | { is: "widget" }
  /** The part of a client's address behind `#`. */
  | { is: "fragment" }
  /** Text of several lines that is never rendered. */
  | { is: "lines" }
  /**
   * A name of one line that is shown to people. `called`: names are unique, and a blank one is
   * replaced by this.
   */
  | { is: "name"; called?: string }
  /** The address of an uploaded file, which contains the file's name in the file store. */
  | { is: "path" }
  /** The name of a picture in the file store. */
  | { is: "picture"; of: "realm" | "avatar" | "emoji" }
  /** A secret: empty in every export. */
  | { is: "secret" };

export const idOf = <const Of extends string>(of: Of) => ({ is: "id", of }) as const;
/** The id of an object that may be gone. */
export const idOrNullOf = <const Of extends string>(of: Of) =>
  ({ is: "id", of, nullIfGone: true }) as const;
export const idOrZeroOf = <const Of extends string>(of: Of) =>
  ({ is: "id", of, zero: true }) as const;

/** The id of an object that may be gone. Its row still names it then. */
export const idOfGone = <const Of extends string>(of: Of) =>
  ({ is: "id", of, keptIfGone: true }) as const;

export const person = idOf("users");
export const personOrNull = idOrNullOf("users");
export const channel = idOf("channels");
export const message = idOf("messages");
export const noId = { is: "noId" } as const;
export const messagePlace = { is: "place", of: "messages" } as const;
export const logPlace = { is: "place", of: "event_log" } as const;
export const markdown = { is: "markdown" } as const;
export const lines = { is: "lines" } as const;
export const name = { is: "name" } as const;
export const secret = { is: "secret" } as const;
export const html = (from: string, length: "message" | "description" = "message") =>
  ({ is: "html", from, length }) as const;
export const uniqueName = (called: string) => ({ is: "name", called }) as const;
export const picture = (of: "realm" | "avatar" | "emoji") => ({ is: "picture", of }) as const;

declare const traitsOfType: unique symbol;

/** A table whose type includes its traits. */
export interface Described<Declared> {
  readonly [traitsOfType]: Declared;
}

const traitsByTable = new WeakMap<object, Traits>();

/** Declares the traits of a table. */
export function describe<Table extends object, const Declared extends Traits>(
  table: Table,
  traits: Declared,
): Table & Described<Declared> {
  traitsByTable.set(table, traits);
  return table as Table & Described<Declared>;
}

/** The traits of a table of ours; undefined for anything else. */
export const findTraits = (table: object): Traits | undefined => traitsByTable.get(table);
