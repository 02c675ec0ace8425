import type { FlaggedMessage } from "./message";
import type { Model } from "./snapshot";

/**
 * Whether the person may react to a message. This stands apart from the other rights, because it is
 * the only one that the first view needs.
 */
export const mayReact = ({ channels }: Model, { stream_id: id }: FlaggedMessage): boolean =>
  id === undefined || channels.get(id)?.is_archived !== true;
