import { describe, expect, test } from "bun:test";
import type { FlaggedMessage } from "../../src/web/model/message";
import {
  hasHistory,
  mayDelete,
  mayEdit,
  mayMoveToChannel,
  mayMoveToTopic,
  mayResolve,
} from "../../src/web/model/permissions";
import type { Model } from "../../src/web/model/snapshot";

const [me, bob, everyone, staff, nobody] = [4, 5, 1, 2, 3];
const sentAt = 1_000;

const group = (id: number, members: number[], subgroups: number[] = []) =>
  [id, { id, members: new Set(members), direct_subgroup_ids: new Set(subgroups) }] as const;

/** A model of two people in a channel, with these settings of the organization. */
const modelWith = (organization: object, channel: object = {}, role = 400) =>
  ({
    me,
    users: new Map([
      [me, { user_id: me, role }],
      [bob, { user_id: bob, role: 400 }],
    ]),
    groups: new Map([group(everyone, [bob], [staff]), group(staff, [me]), group(nobody, [])]),
    server: { server_supported_permission_settings: { realm: {}, stream: {} } },
    channels: new Map([
      [
        7,
        {
          stream_id: 7,
          is_archived: false,
          can_send_message_group: everyone,
          can_delete_any_message_group: nobody,
          can_delete_own_message_group: nobody,
          can_move_messages_out_of_channel_group: nobody,
          can_move_messages_within_channel_group: nobody,
          can_resolve_topics_group: nobody,
          ...channel,
        },
      ],
    ]),
    organization: {
      allow_message_editing: true,
      message_content_edit_limit_seconds: 600,
      message_content_delete_limit_seconds: 600,
      move_messages_within_stream_limit_seconds: 600,
      move_messages_between_streams_limit_seconds: null,
      message_edit_history_visibility_policy: "all",
      can_delete_any_message_group: nobody,
      can_delete_own_message_group: everyone,
      can_move_messages_between_topics_group: everyone,
      can_move_messages_between_channels_group: staff,
      can_resolve_topics_group: nobody,
      ...organization,
    },
  }) as unknown as Model;

const message = (sender_id: number, more: object = {}) =>
  ({
    id: 1,
    sender_id,
    stream_id: 7,
    subject: "t",
    timestamp: sentAt,
    submessages: [],
    ...more,
  }) as unknown as FlaggedMessage;

describe("the person", () => {
  test("edits their own messages in time, with a grace for the way to the server", () => {
    expect(mayEdit(modelWith({}), message(me), sentAt + 600)).toBe(true);
    expect(mayEdit(modelWith({}), message(me), sentAt + 620)).toBe(true);
    expect(mayEdit(modelWith({}), message(me), sentAt + 621)).toBe(false);
    expect(mayEdit(modelWith({}), message(bob), sentAt)).toBe(false);
    expect(mayEdit(modelWith({ allow_message_editing: false }), message(me), sentAt)).toBe(false);
    const muted = modelWith({}, { can_send_message_group: nobody });
    expect(mayEdit(muted, message(me), sentAt)).toBe(false);
  });

  test("deletes their own messages in time, and any where a group that holds theirs may", () => {
    expect(mayDelete(modelWith({}), message(me), sentAt + 600)).toBe(true);
    expect(mayDelete(modelWith({}), message(me), sentAt + 601)).toBe(false);
    expect(mayDelete(modelWith({}), message(bob), sentAt)).toBe(false);
    const any = modelWith({}, { can_delete_any_message_group: everyone });
    expect(mayDelete(any, message(bob), sentAt + 10_000)).toBe(true);
  });

  test("moves messages in time, moderators whenever they want, and nobody out of an archive", () => {
    expect(mayMoveToTopic(modelWith({}), message(bob), sentAt + 620)).toBe(true);
    expect(mayMoveToTopic(modelWith({}), message(bob), sentAt + 621)).toBe(false);
    expect(mayMoveToTopic(modelWith({}, {}, 300), message(bob), sentAt + 9_999)).toBe(true);
    expect(mayMoveToChannel(modelWith({}), message(bob), sentAt + 9_999)).toBe(true);
    const archive = modelWith({}, { is_archived: true });
    expect(mayMoveToChannel(archive, message(bob), sentAt)).toBe(false);
    const direct = message(me, { stream_id: undefined });
    expect(mayMoveToTopic(modelWith({}), direct, sentAt)).toBe(false);
  });

  test("resolves topics where the organization or the channel lets them", () => {
    const resolves = (channel: object) => {
      const model = modelWith({}, channel);
      const general = model.channels.get(7);
      return general && mayResolve(model, general);
    };
    expect(resolves({})).toBe(false);
    expect(resolves({ can_resolve_topics_group: staff })).toBe(true);
    expect(resolves({ can_resolve_topics_group: staff, is_archived: true })).toBe(false);
  });

  test("sees how messages were changed as far as the organization shows it", () => {
    const [edited, moved] = [
      message(bob, { last_edit_timestamp: 1 }),
      message(bob, { last_moved_timestamp: 1 }),
    ];
    const seen = (policy: string) =>
      [message(bob), edited, moved].map((one) =>
        hasHistory(modelWith({ message_edit_history_visibility_policy: policy }), one),
      );
    expect(seen("all")).toEqual([false, true, true]);
    expect(seen("moves")).toEqual([false, false, true]);
    expect(seen("none")).toEqual([false, false, false]);
  });
});
