/**
 * The traits of a table stand beside its columns in `db/schema/<feature>.ts`. Code that exports,
 * imports, backs up or deletes rows, or remembers results worked out from them, goes by these
 * traits and keeps no list of tables. `tables.ts` finds tables by their traits, and
 * `test/db/tables.test.ts` fails where a table says too little.
 *
 * A table with `realm_id` needs no trait for the deletion of its organization: its rows go then.
 */
export type Traits<Key extends string = string> = Base<Key> & Exported;

interface Base<Key extends string> {
  of: Owner;
  /**
   * Contents of columns that need care when rows move: ids of other rows, texts, files, secrets.
   */
  holds?: { readonly [Column in Key]?: Holding };
  /** To be stated by each table that names people. */
  onPersonDeleted?: OnPersonDeleted;
  /** To be stated by each table with the id of a message. */
  onMessageDeleted?: OnMessageDeleted;
  changes?: Changes;
  /** The reason why no backup has the rows. Without it they are in all of them. */
  notInBackup?: string;
}

/** Whether exports hold the rows, and where none does, the reason. */
type Exported = { exported: true } | { notExported: string };

/**
 * Owner of these rows. An export that is not of everything holds only rows that its readers may
 * see.
 *
 * - `server`: of the whole installation. Only these tables and `realms` have no `realm_id`.
 * - `realm`: everybody in the organization sees them.
 * - `administrators`: those who run the organization see them.
 * - `channel`, `conversation`, `message`: everybody who may read the one that `channelId`,
 *   `conversationId` or `messageId` names.
 * - `person`: only the person whom `userId`, or `ownerId`, names.
 * - `bot`: the bot that `userId` names, and its owner.
 * - `nobody`: notes of the server about its work.
 */
export type Owner =
  | "server"
  | "realm"
  | "administrators"
  | "channel"
  | "conversation"
  | "message"
  | "person"
  | "bot"
  | "nobody";

/**
 * The fate of rows when a person is deleted for good. They are that person's by the first column
 * that `holds` states with a person's id.
 *
 * - `remove`: the deletion removes them.
 * - `end`: they go before, when the account is deactivated, since their feature has more to do
 *   then.
 * - `keep`: they stay, for the reason given. The person is only a number by then.
 */
export type OnPersonDeleted = "remove" | "end" | { keep: string };

/**
 * The fate of rows when the message that `messageId` names is deleted.
 *
 * - `remove`: the deletion removes them.
 * - `otherwise`: they stay, or go in a way of their own, for the reason given.
 */
export type OnMessageDeleted = "remove" | { otherwise: string };

/**
 * Whether the realm's log is told that a write has changed the table. Only rows of told tables may
 * be remembered (`remembered`).
 *
 * - `told`, where nothing is stated: always.
 * - `toldUnlessNew`: not when rows are new, because an event tells of each new row.
 * - `untold`: never. The table grows with what people write and do. Either the log has an entry for
 *   each row, or nobody remembers rows of the table.
 */
export type Changes = "told" | "toldUnlessNew" | "untold";

/** The content of a column. Numbers, times and single lines of plain text need not be stated. */
export type Holding =
  /**
   * The id of a row of that table. `nullIfGone`: the row still means something without it. `zero`:
   * 0 stands for something else than a row.
   */
  | { is: "id"; of: string; nullIfGone?: true; zero?: true }
  /** A number or text that looks like an id and names no row of ours. */
  | { is: "noId" }
  /** A place among messages or in the log, whether or not a row is there. */
  | { is: "place"; of: "messages" | "event_log" }
  /** The number of a block of message ids in which reading is noted. */
  | { is: "block" }
  /** Ids of people with commas between. */
  | { is: "people" }
  /** A JSON list of ids of people. */
  | { is: "peopleJson" }
  /** A JSON list of the ids of channels or of people, as the row's `type` says. */
  | { is: "target" }
  /** Markdown, which may name people, channels and messages. */
  | { is: "markdown" }
  /** HTML of the Markdown in the column `from`, which stands before it, as long as such may be. */
  | { is: "html"; from: string; length: "message" | "description" }
  /** JSON of permissions by name, which name groups and people. */
  | { is: "groupSettings" }
  /** JSON of an organization's settings, which name groups and channels. */
  | { is: "realmSettings" }
  /** JSON of profile fields by id. */
  | { is: "profile" }
  /**
   * The code of an emoji: an id where the row's `reaction_type` says that it is one of the realm.
   */
  | { is: "emojiCode" }
  /** JSON of a widget, which may name people. */
  | { is: "widget" }
  /** The part of a client's address behind `#`. */
  | { is: "fragment" }
  /** Text of several lines that nobody renders. */
  | { is: "lines" }
  /**
   * A name of one line that is shown to people. `called`: no two are alike, and one without a
   * visible name is called so.
   */
  | { is: "name"; called?: string }
  /** The address of an uploaded file, in which the file's name in the file store stands. */
  | { is: "path" }
  /** The name of a picture in the file store. */
  | { is: "picture"; of: "realm" | "avatar" | "emoji" }
  /** A secret: empty in every export. */
  | { is: "secret" };

export const idOf = <const Of extends string>(of: Of) => ({ is: "id", of }) as const;
/** The id of something that may be gone. */
export const idOrNullOf = <const Of extends string>(of: Of) =>
  ({ is: "id", of, nullIfGone: true }) as const;
export const idOrZeroOf = <const Of extends string>(of: Of) =>
  ({ is: "id", of, zero: true }) as const;

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

/** A table whose type tells its traits. */
export interface Described<Told> {
  readonly [traitsOfType]: Told;
}

const traitsByTable = new WeakMap<object, Traits>();

/** Notes the traits of a table. */
export function describe<Table extends object, const Told extends Traits>(
  table: Table,
  traits: Told,
): Table & Described<Told> {
  traitsByTable.set(table, traits);
  return table as Table & Described<Told>;
}

/** The traits of a table of ours; undefined for anything else. */
export const findTraits = (table: object): Traits | undefined => traitsByTable.get(table);
