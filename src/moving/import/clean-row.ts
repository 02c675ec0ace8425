import type { StoredValue } from "../../../db/stored-rows";
import { channelKey } from "../../channels/queries";
import { topicKey } from "../../channels/topics/empty-topic";
import { isBlank, withoutHidden } from "../../core/visible";
import type { ExportedTable } from "../realm-archive/tables";
import { contents } from "./columns";

type Row = Record<string, StoredValue>;
type Columns = Readonly<Partial<Record<ExportedTable, readonly string[]>>>;

/**
 * Texts of several lines that are not rendered. All others are one line: they stand in headers of
 * mails, in lists, in logs.
 */
const severalLines: Columns = {
  bot_storage: ["key", "value"],
  user_groups: ["description"],
  webhook_templates: ["content"],
};

/** Names that need not be anybody's alone. */
const topics: Columns = {
  messages: ["topic"],
  message_edits: ["prev_topic", "topic"],
  user_topics: ["topic"],
  drafts: ["topic"],
  scheduled_messages: ["topic"],
  navigation_views: ["name"],
  saved_snippets: ["title"],
};

/**
 * Names that are one thing's alone, and what that is called whose name holds nothing that is seen.
 */
const ownNames: Readonly<Partial<Record<ExportedTable, string>>> = {
  channels: "Channel",
  channel_folders: "Folder",
  user_groups: "Group",
  profile_fields: "Field",
};

const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * A row whose texts hold nothing that requests could not have set: no line breaks and no other
 * control characters where there is one line, no names with characters that are not seen.
 */
export function cleanRow(table: ExportedTable, row: Row): Row {
  const kept = [...Object.keys(contents[table]), ...(severalLines[table] ?? [])];
  const lines = Object.entries(row).map(([column, value]): [string, StoredValue] => [
    column,
    typeof value === "string" && !kept.includes(column) ? value.replace(breaks, " ") : value,
  ]);
  return withNames(table, Object.fromEntries(lines));
}

function withNames(table: ExportedTable, row: Row): Row {
  const what = ownNames[table];
  const named = what === undefined ? row : { ...row, name: ownName(what, row) };
  const cleaned = (topics[table] ?? []).flatMap((column): [string, string][] => {
    const value = named[column];
    return typeof value === "string" ? [[column, visible(value)]] : [];
  });
  return withKeys(table, { ...named, ...Object.fromEntries(cleaned) });
}

function visible(name: string): string {
  const shown = withoutHidden(name).trim();
  return isBlank(shown) ? "" : shown;
}

/** A name that loses something may be another's then: it gets the number of the thing. */
function ownName(what: string, { name, id }: Row): string {
  const given = String(name ?? "");
  const shown = visible(given);
  if (shown === given && shown !== "") return given;
  return `${shown === "" ? what : [...shown].slice(0, ownNameLengthMax).join("")} (${id})`;
}

/** With the number, a name is still shorter than the longest name of a channel. */
const ownNameLengthMax = 40;

/** Keys by which things are found are made of their names, whatever the file says. */
function withKeys(table: ExportedTable, row: Row): Row {
  if (table === "channels") return { ...row, name_key: channelKey(String(row["name"])) };
  if (table === "messages" || table === "user_topics")
    return { ...row, topic_key: topicKey(String(row["topic"])) };
  return row;
}
