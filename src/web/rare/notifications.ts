/* All of the second file is imported, or the bundler would cut it into pieces. */
import "../late/parts";

export { followNotifications } from "../notifications/follow";
