import type { EngineStage } from "./engine";

/** The request for a file of the client's code, but for the first one. */
const laterFile = /^GET \/static\/web\/(?!main-)[^ ]+\.js /;

/**
 * A case in which a file of the client comes late. It goes before others, because a browser keeps
 * the files that it has once received.
 */
export function lateCases(on: EngineStage): void {
  on.test("a page whose second file was refused once becomes whole", async () => {
    on.network.refuseOnce(laterFile);
    await on.open(on.world.alice, "#feed");
  });
}
