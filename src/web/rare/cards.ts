/* All of the second file is imported, or the bundler would cut it into pieces. */
import "../late/parts";
import style from "../look/cards.css" with { type: "file" };

export { CardAbove } from "../cards/card";
export { openStatus } from "../cards/status-dialog";
export { style };
