import { render } from "preact";
import { goOnWithLateParts } from "../parts/late";
import { provideRareParts, type RareLoaders } from "../parts/rare";
import { followAppearance } from "../store/appearance";
import { provideKept } from "../store/feeds";
import { followAddress } from "../store/place";
import { markLanguage } from "../words/words";
import { Shell } from "./shell";

/** Draws the page, and loads the client's second file. */
export function start(load: Parameters<typeof goOnWithLateParts>[0], rare: RareLoaders): void {
  provideRareParts(rare);
  provideKept(rare.offline);
  const app = document.getElementById("app");
  if (!app) return;
  followAppearance();
  markLanguage();
  followAddress();
  render(<Shell />, app);
  void goOnWithLateParts(load);
}
