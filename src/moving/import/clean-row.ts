import { type ExportedTable, exportedTable } from "../../../db/schema/tables";
import type { StoredValue } from "../../../db/stored-rows";
import { channelKey } from "../../channels/queries";
import { topicKey } from "../../channels/topics/empty-topic";
import { isBlank, withoutHidden } from "../../core/visible";

type Row = Record<string, StoredValue>;
/** Contents that are one line, like columns of which nothing is stated. */
const oneLine = ["name", "picture", "secret", "noId"];

const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * A row whose texts hold nothing that requests could not have set: no line breaks and no other
 * control characters where there is one line, no names with characters that are not seen.
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

/** A name that loses something may be another's then: it gets the number of the thing. */
function ownName(called: string, name: string, id: StoredValue | undefined): string {
  const shown = visible(name);
  if (shown === name && shown !== "") return name;
  return `${shown === "" ? called : [...shown].slice(0, ownNameLengthMax).join("")} (${id})`;
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
