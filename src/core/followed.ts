import type { App } from "./context";
import { perServer } from "./per-server";

/** Facts of a piece of work that its trace shows: short, and never a secret or a text of people. */
export type Facts = Readonly<Record<string, string | number>>;

/** Kinds of work, as traces have them. */
export type WorkKind = "server" | "client" | "consumer" | "internal";

/** Somebody who follows what a server does, to make traces of it. */
export interface Follower {
  follow<T>(
    work: { name: string; kind: WorkKind; facts?: Facts },
    run: () => Promise<T>,
  ): Promise<T>;
}

const followers = perServer((): { present: Follower | undefined } => ({ present: undefined }));

/** From now on the work of a server is followed. */
export function beginFollowing(app: Pick<App, "memory">, follower: Follower): void {
  followers.of(app).present = follower;
}

/** Does a piece of work, followed where somebody follows the server. */
export function followed<T>(
  app: Pick<App, "memory">,
  work: { name: string; kind: WorkKind; facts?: Facts },
  run: () => Promise<T>,
): Promise<T> {
  const { present } = followers.of(app);
  return present ? present.follow(work, run) : run();
}
