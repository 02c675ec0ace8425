import { render } from "preact";
import { goOnWithLateParts } from "../parts/late";
import { provideRareParts, type RareLoaders } from "../parts/rare";
import { followAppearance } from "../store/appearance";
import { provideKept } from "../store/kept";
import { followAddress } from "../store/place";
import { markLanguage } from "../words/words";
import { Shell } from "./shell";

/** Draws the page, and goes on with the second file of the client. */
export function start(load: Parameters<typeof goOnWithLateParts>[0], rare: RareLoaders): void {
  provideRareParts(rare);
  provideKept(async (narrow) => {
    // Without a worker the file does not come either, where the server is not reached.
    const part = await rare.offline().catch(() => undefined);
    return part?.keptMessages(narrow) ?? [];
  });
  const app = document.getElementById("app");
  if (!app) return;
  followAppearance();
  markLanguage();
  followAddress();
  render(<Shell />, app);
  void goOnWithLateParts(load);
}
