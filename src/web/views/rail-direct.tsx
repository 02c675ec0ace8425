import { useState } from "preact/hooks";
import { directKey } from "../model/conversations";
import { directNarrow } from "../model/narrow-kind";
import type { Sign } from "../model/presence";
import { unreadInDirect } from "../model/unread";
import { Face } from "../parts/face";
import { Icon } from "../parts/icon";
import { withLateParts } from "../parts/late";
import { directName, fragmentOf, peopleOfKey } from "../store/names";
import { shownKind } from "../store/place";
import { signOfUser } from "../store/presence";
import { directInRail, isFiltered } from "../store/rail-lists";
import { me, unread, users } from "../store/state";
import { words } from "../words/words";
import { withKeys } from "./head";
import { Line } from "./line";
import { foldOf, MoreLine, SectionHead } from "./rail-section";

const shownAtFirst = 10;
/** The number of conversations that are added on demand. */
const shownMore = 50;

/** Direct conversations, the newest first. Only some are drawn at first, and more on demand. */
export function RailDirect() {
  const [most, setMost] = useState(shownAtFirst);
  const fold = foldOf("direct");
  const all = directInRail();
  const withNews = all.filter((key) => unreadInDirect(unread.value, key) > 0);
  // Unread conversations come first, but not all of a thousand are drawn.
  const newest = new Set(withNews.slice(0, Math.max(most, shownMore)));
  const listed = fold.isFolded ? withNews : all;
  const shown = listed.filter((key, index) => index < most || newest.has(key));
  if (isFiltered() && all.length === 0) return null;
  return (
    <>
      <SectionHead name={words.directMessages} fold={fold}>
        <button
          type="button"
          class="tool"
          title={withKeys(words.views.newDirect, "newDirect")}
          aria-label={words.views.newDirect}
          onClick={() => withLateParts(({ startDirect }) => startDirect())}
        >
          <Icon name="plus" />
        </button>
      </SectionHead>
      {all.length === 0 && <p class="empty">{words.emptyDirect}</p>}
      <ul>
        {shown.map((key) => (
          <DirectLine key={key} conversation={key} />
        ))}
        <MoreLine
          rest={listed.length - shown.length}
          step={shownMore}
          show={() => setMost(most + shownMore)}
        />
      </ul>
    </>
  );
}

function DirectLine({ conversation }: { conversation: string }) {
  const userIds = peopleOfKey(conversation);
  const shown = shownKind();
  return (
    <Line
      href={fragmentOf(directNarrow(userIds))}
      isCurrent={shown?.kind === "direct" && directKey(shown.userIds, me.value) === conversation}
      mark={<DirectFace userIds={userIds} />}
      name={directName(userIds)}
      count={unreadInDirect(unread.value, conversation)}
      isMine
    />
  );
}

const order: readonly Sign[] = ["here", "away", "off"];

/** The avatar of the first of some people, with the best presence state among them. */
export function DirectFace({ userIds }: { userIds: readonly number[] }) {
  const people = userIds.map((id) => users.value.get(id)).filter((user) => user !== undefined);
  const [first] = people;
  if (!first) return null;
  const signs = people.map(signOfUser);
  return <Face user={first} sign={order.find((sign) => signs.includes(sign))} />;
}
