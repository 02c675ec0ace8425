import { sendTimes } from "../model/send-times";
import type { MenuItem } from "../parts/menu";
import { moments } from "../store/moments";
import { serverNow } from "../store/server-time";
import { laterWords } from "../words/later";

/** The offered times as items of a menu. */
export const timeItems = (choose: (at: Date) => void): readonly MenuItem[] =>
  sendTimes(serverNow()).map(({ name, at }) => ({
    name: laterWords.at(laterWords.ahead[name], moments.value.hour(at)),
    icon: "clock",
    run: () => choose(at),
  }));
