import type { Sign } from "../model/presence";
import { words } from "../words/words";
import { Avatar, type Pictured } from "./avatar";

const { hereNow, awayNow, offNow } = words.views;
/** Words for the presence states. */
export const signNames: Readonly<Record<Sign, string>> = {
  here: hereNow,
  away: awayNow,
  off: offNow,
};

/** Somebody's small avatar with their presence state, which bots do not have. */
export const Face = ({ user, sign }: { user: Pictured; sign: Sign | undefined }) => (
  <span class="face">
    <Avatar user={user} isSmall />
    {sign && (
      <i class={`presence ${sign}`}>
        <span class="visually-hidden">{signNames[sign]}</span>
      </i>
    )}
  </span>
);
