import type { Context, Person } from "../core/context";
import { badRequest, unauthorized } from "../core/errors";
import type { QueueOptions } from "../core/event-hub";
import { type JsonPieces, membersJson } from "../core/json/raw-json";
import { spectatorOf } from "../core/rights/spectator";
import { beginLongWork } from "../core/turns/turn";
import { featureLevel, protocolVersion } from "../core/version";
import { hasPublicAccess, loadRealm } from "../realm/queries";
import {
  type Answered,
  expectState,
  loadState,
  queueOptions,
  type RegisterInput,
  register,
  writeState,
} from "./register";

/**
 * States of people's whereabouts and activity, by fetch event type: a spectator gets them empty.
 */
const keptFromTheWeb: Record<string, (ctx: Context) => Record<string, unknown>> = {
  presence: ({ now }) => ({ presences: {}, presence_last_update_id: -1, server_timestamp: now }),
  user_status: () => ({ user_status: {} }),
};

/**
 * `register`, also for somebody who has not signed in, in an organization that is open to the web.
 * They get only the state of a guest without channels, without addresses of people, profile fields
 * and presence. There is no queue, so `queue_id` is null. Shape: `test/recorded/api/register.json`.
 */
export async function registerAnybody(
  ctx: Context<Person>,
  input: RegisterInput,
  answered: Answered,
): Promise<JsonPieces> {
  return ctx.actor.kind === "spectator"
    ? registerSpectator(ctx, input, answered)
    : register(ctx, input, answered);
}

async function registerSpectator(ctx: Context<Person>, input: RegisterInput, { expect }: Answered) {
  const options: QueueOptions = { ...queueOptions(ctx, input), clientGravatar: false };
  if (options.allPublicStreams) throw signedInOnly("all_public_streams");
  if (options.includeSubscribers !== "false" && options.includeSubscribers !== "unsaid")
    throw signedInOnly("include_subscribers");
  const wanted = input.fetchEventTypes ?? input.eventTypes;
  const states = ctx.app.realtime.states.filter(
    ({ fetchTypes }) => !fetchTypes.some((type) => type in keptFromTheWeb),
  );
  await beginLongWork(ctx);
  const state = await ctx.app.engine.snapshot(async (reader) => {
    const realm = await loadRealm(reader, ctx.realm.id);
    if (!realm.isActive || !hasPublicAccess({ app: ctx.app, realm })) throw unauthorized();
    return loadState(
      { ...ctx, realm, reader, actor: spectatorOf(realm) },
      reader,
      options,
      states,
      wanted,
    );
  });
  const head = {
    queue_id: null,
    last_event_id: -1,
    zulip_version: protocolVersion,
    zulip_feature_level: featureLevel,
    zulip_merge_base: protocolVersion,
    service_feature_level: featureLevel,
    ...Object.assign({}, ...keptEmpty(ctx, wanted)),
  };
  const isLong = expectState(state, expect);
  return writeState(membersJson(head), state, isLong);
}

const keptEmpty = (ctx: Context, wanted: string[] | undefined) =>
  Object.entries(keptFromTheWeb).flatMap(([type, empty]) =>
    wanted === undefined || wanted.includes(type) ? [empty(ctx)] : [],
  );

const signedInOnly = (name: string) => badRequest(`Sign in to ask for ${name}.`);
