import { Type } from "@sinclair/typebox";
import { neverSubscribedObject, subscriptionObject } from "../../channels/subscription-wire";
import type { StateLoader } from "../../core/state";
import { loadOverview } from "./overview";

/**
 * The channels that the user may know, in lists by subscription. `subscription` add and remove
 * events move a channel between the lists, `peer_add` and `peer_remove` change its subscribers,
 * `stream` create and delete add and remove it.
 */
export const subscriptionsState = {
  fetchTypes: ["subscription"],
  keys: {
    subscriptions: Type.Array(subscriptionObject),
    unsubscribed: Type.Array(subscriptionObject),
    never_subscribed: Type.Array(neverSubscribedObject),
  },
  async load(ctx, reader, options) {
    const { includeSubscribers: asked, archivedChannels: withArchived } = options;
    const include = asked === "unsaid" ? "false" : asked;
    return { ...(await loadOverview(ctx, reader, { include, withArchived })) };
  },
} satisfies StateLoader;
