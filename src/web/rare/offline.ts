/* All of the second file is imported, or the bundler would cut it into pieces. */
import "../late/parts";

export { keepFrom, keepRenewed, takeEvents } from "../offline/keep";
export { keptMessages } from "../offline/kept-messages";
