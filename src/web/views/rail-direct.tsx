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
import { foldOf, SectionHead } from "./rail-section";

const shownMax = 10;

/** Direct conversations, the newest first: some of them, and all where the person wants to see more. */
export function RailDirect() {
  const [isWhole, setWhole] = useState(false);
  const fold = foldOf("direct");
  const all = directInRail();
  const isShown = (key: string, index: number) =>
    isWhole || isFiltered() || index < shownMax || unreadInDirect(unread.value, key) > 0;
  const shown = all.filter(isShown);
  const visible = fold.isFolded
    ? all.filter((key) => unreadInDirect(unread.value, key) > 0)
    : shown;
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
        {visible.map((key) => (
          <DirectLine key={key} conversation={key} />
        ))}
        {!fold.isFolded && shown.length < all.length && (
          <li>
            <button type="button" class="line" onClick={() => setWhole(true)}>
              <span class="name">{words.views.showAll(all.length)}</span>
            </button>
          </li>
        )}
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

/** The picture of the first of some people, with the sign of the one who is there most. */
export function DirectFace({ userIds }: { userIds: readonly number[] }) {
  const people = userIds.map((id) => users.value.get(id)).filter((user) => user !== undefined);
  const [first] = people;
  if (!first) return null;
  const signs = people.map(signOfUser);
  return <Face user={first} sign={order.find((sign) => signs.includes(sign))} />;
}
