import { characterOf } from "../model/emoji";
import { Avatar } from "../parts/avatar";
import { ChannelMark } from "../parts/channel-mark";
import { Icon } from "../parts/icon";
import { moments } from "../store/moments";
import { emoji, users } from "../store/state";
import { words } from "../words/words";
import { activeOffer, offers, queryKind, takeOffer } from "./offering";
import type { About, Offer } from "./offers";

export const offersId = "compose-offers";
export const offerId = (index: number): string => `${offersId}-${index}`;

/** Things that may stand in the place of the words at the caret, above the box. */
export function OfferList() {
  const kind = queryKind.value;
  if (offers.value.length === 0 || kind === undefined) return null;
  const title = words.compose.offers[kind];
  return (
    <div class="offers">
      <p aria-hidden="true">{title}</p>
      <div id={offersId} role="listbox" aria-label={title}>
        {offers.value.map((offer, index) => (
          <OfferLine key={offer.key} offer={offer} index={index} />
        ))}
      </div>
    </div>
  );
}

function OfferLine({ offer, index }: { offer: Offer; index: number }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      id={offerId(index)}
      role="option"
      aria-selected={index === activeOffer.value}
      // The text field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => takeOffer(offer)}
    >
      <Sign about={offer.about} />
      <Name offer={offer} />
      <small dir="auto">{noteOf(offer.about)}</small>
    </button>
  );
}

function Sign({ about }: { about: About }) {
  switch (about.kind) {
    case "person": {
      const user = users.value.get(about.userId);
      return user ? <Avatar user={user} isSmall /> : null;
    }
    case "channel":
    case "topic":
      return <ChannelMark channelId={about.channelId} />;
    case "emoji":
      return about.isOwn ? (
        <img class="emoji" src={emoji.value.get(about.code)?.source_url} alt="" />
      ) : (
        <span aria-hidden="true">{characterOf(about.code)}</span>
      );
    case "group":
    case "wildcard":
      return <Icon name="people" />;
    default:
      return null;
  }
}

function Name({ offer: { name, match, about } }: { offer: Offer }) {
  if (about.kind === "time") return <span>{moments.value.near(new Date(about.at))}</span>;
  const shown = about.kind === "topic" && name === "" ? words.noTopic : name;
  return (
    <span class="name" dir="auto">
      {shown.slice(0, match.start)}
      <mark>{shown.slice(match.start, match.end)}</mark>
      {shown.slice(match.end)}
    </span>
  );
}

function noteOf(about: About): string {
  switch (about.kind) {
    case "person":
      return about.near === "all" ? emailOf(about.userId) : words.compose.near[about.near];
    case "group":
      return words.compose.groupOf(about.size);
    case "wildcard":
      return words.compose.wildcards[about.of];
    case "snippet":
      return words.compose.ownText;
    default:
      return "";
  }
}

const emailOf = (userId: number): string => users.value.get(userId)?.delivery_email ?? "";
