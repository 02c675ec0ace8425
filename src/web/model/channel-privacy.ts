import type { Channel } from "./channels";

/** Readers of a channel, from many people to few. */
export const privacies = ["web", "public", "shared", "protected"] as const;

/**
 * Readers of a channel: the web, the organization without its guests, or the members: in a channel
 * with shared history members read all messages, with protected history only those from their own
 * time there.
 */
export type Privacy = (typeof privacies)[number];

type Access = Pick<Channel, "invite_only" | "is_web_public" | "history_public_to_subscribers">;

export function privacyOf(channel: Access): Privacy {
  if (channel.is_web_public) return "web";
  if (!channel.invite_only) return "public";
  return channel.history_public_to_subscribers ? "shared" : "protected";
}

export const isPrivate = (privacy: Privacy): boolean =>
  privacy === "shared" || privacy === "protected";

/**
 * Parameters of the request that gives a channel a privacy. All are given, because somebody else
 * may have changed some of them meanwhile.
 */
export const accessOf = (privacy: Privacy) => ({
  is_private: isPrivate(privacy),
  is_web_public: privacy === "web",
  history_public_to_subscribers: privacy !== "protected",
});

/** An effect of another privacy on some of the people. */
export type PrivacyEffect =
  | "webOpens"
  | "webCloses"
  | "organizationOpens"
  | "organizationCloses"
  | "historyOpens"
  | "historyCloses";

/** Effects of a change from one privacy to another, those on most people first. */
export function effectsOf(before: Privacy, after: Privacy): readonly PrivacyEffect[] {
  if (before === after) return [];
  const isOpen = !isPrivate(after);
  const changes: readonly (readonly [PrivacyEffect, boolean])[] = [
    ["webOpens", after === "web"],
    ["webCloses", before === "web"],
    ["organizationOpens", isOpen && isPrivate(before)],
    ["organizationCloses", !isOpen && !isPrivate(before)],
    ["historyOpens", before === "protected" && after === "shared"],
    ["historyCloses", after === "protected"],
  ];
  return changes.flatMap(([effect, happens]) => (happens ? [effect] : []));
}
