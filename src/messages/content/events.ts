import { Type } from "@sinclair/typebox";
import { nullable, word } from "../../core/params";
import { event } from "../../events/define";
import { recipientFlags, topicLinkObject } from "../../reading/wire";

const updateFields = {
  user_id: nullable(Type.Integer()),
  rendering_only: Type.Boolean(),
  message_id: Type.Integer(),
  message_ids: Type.Array(Type.Integer()),
  edit_timestamp: Type.Integer(),
  stream_name: Type.Optional(Type.String()),
  stream_id: Type.Optional(Type.Integer()),
  new_stream_id: Type.Optional(Type.Integer()),
  propagate_mode: Type.Optional(word("change_one", "change_later", "change_all")),
  orig_subject: Type.Optional(Type.String()),
  subject: Type.Optional(Type.String()),
  topic_links: Type.Optional(Type.Array(topicLinkObject)),
  orig_content: Type.Optional(Type.String()),
  orig_rendered_content: Type.Optional(Type.String()),
  content: Type.Optional(Type.String()),
  rendered_content: Type.Optional(Type.String()),
  is_me_message: Type.Optional(Type.Boolean()),
};

/**
 * Messages were changed: the content of one, the topic or channel of several. `flags`, which every
 * event has on the wire, are the recipient's own and are added at delivery. `message_ids` are
 * ascending.
 */
export const messageUpdated = event("update_message", undefined, updateFields, {
  ...updateFields,
  flags: recipientFlags,
});
