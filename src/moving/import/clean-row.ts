import { type ExportedTable, exportedTable } from "../../../db/schema/tables";
import type { StoredValue } from "../../../db/stored-rows";
import { channelKey } from "../../channels/queries";
import { topicKey } from "../../channels/topics/empty-topic";
import { isBlank, withoutHidden } from "../../core/text/hidden-characters";

type Row = Record<string, StoredValue>;
/** Kinds of columns whose text has one line. A column without a declared kind has one line too. */
const oneLine = ["name", "picture", "secret", "noId"];

const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * A row whose texts contain only characters that a request could have stored: one-line columns
 * contain no line breaks and control characters, and names contain no invisible characters.
 */
export function cleanRow(table: ExportedTable, row: Row): Row {
  const { holds } = exportedTable(table);
  const cleaned = Object.entries(row).map(([column, value]): [string, StoredValue] => {
    const holding = holds[column];
    if (typeof value !== "string" || (holding && !oneLine.includes(holding.is)))
      return [column, value];
    const line = value.replace(breaks, " ");
    return [column, holding?.is === "name" ? cleanName(holding, line, row) : line];
  });
  return withKeys(table, Object.fromEntries(cleaned));
}

const cleanName = ({ called }: { called?: string }, name: string, { id }: Row): string =>
  called === undefined ? visible(name) : ownName(called, name, id);

function visible(name: string): string {
  const shown = withoutHidden(name).trim();
  return isBlank(shown) ? "" : shown;
}

/**
 * A name with the object's id added, because the cleaned name may already belong to another object.
 */
function ownName(called: string, name: string, id: StoredValue | undefined): string {
  const shown = visible(name);
  if (shown === name && shown !== "") return name;
  return `${shown === "" ? called : [...shown].slice(0, ownNameLengthMax).join("")} (${id})`;
}

/**
 * Length limit of a name before its id is added, so that both together are no longer than the
 * longest channel name.
 */
const ownNameLengthMax = 40;

/**
 * A row whose keys for lookups are computed from its names again, whatever keys the file contains.
 */
function withKeys(table: ExportedTable, row: Row): Row {
  if (table === "channels") return { ...row, name_key: channelKey(String(row["name"])) };
  if (table === "messages" || table === "user_topics")
    return { ...row, topic_key: topicKey(String(row["topic"])) };
  return row;
}
