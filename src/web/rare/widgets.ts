/* All of the second file is imported, or the bundler would cut it into pieces. */
import "../late/parts";
import style from "../look/widgets.css" with { type: "file" };

export { openNewWidget } from "../widgets/new-widget";
export { WidgetView } from "../widgets/widget";
export { style };
