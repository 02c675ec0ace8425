import { useLayoutEffect, useRef } from "preact/hooks";
import { characterOf } from "../model/emoji";
import { hasNamesake } from "../model/mentions";
import { Avatar } from "../parts/avatar";
import { ChannelMark } from "../parts/channel-mark";
import { limitBeside, placeBeside } from "../parts/floating";
import { Icon } from "../parts/icon";
import { moments } from "../store/moments";
import { emoji, users } from "../store/state";
import { composeWords } from "../words/compose";
import { words } from "../words/words";
import type { About, Offer } from "./offers";
import { useChosenInSight, useRoomAbove } from "./offers-in-sight";
import type { TextBox } from "./text-box";

export const offersId = ({ id }: TextBox): string => `${id}-offers`;
export const offerId = (box: TextBox, index: number): string => `${offersId(box)}-${index}`;

/** Suggestions for the words at the caret of a box, shown above it. */
export function OfferList({ box }: { box: TextBox }) {
  const { offers, query } = box.offering;
  if (offers.value.length === 0 || !query.value) return null;
  return <OffersAbove box={box} title={composeWords.offers[query.value.kind]} />;
}

interface Titled {
  box: TextBox;
  title: string;
}

const OffersAbove = (titled: Titled) => (
  <div ref={useRoomAbove()} class="offers">
    <OfferLines {...titled} />
  </div>
);

/**
 * The suggestions of a box that is among messages. They float above the page, because the scrolling
 * element would cut them off.
 */
export function FloatingOffers({ box }: { box: TextBox }) {
  const { offers, query } = box.offering;
  const isShown = offers.value.length > 0 && query.value !== undefined;
  const element = useFloating(box, isShown);
  if (!isShown || !query.value) return null;
  return (
    <div ref={element} popover="manual" class="offers">
      <OfferLines box={box} title={composeWords.offers[query.value.kind]} />
    </div>
  );
}

/** Keeps an element beside the field of a box while it is shown, also when messages move. */
function useFloating({ field }: TextBox, isShown: boolean) {
  const element = useRef<HTMLDivElement>(null);
  const place = () => {
    const anchor = field.current?.getBoundingClientRect();
    if (!element.current || !anchor) return;
    limitBeside(element.current, anchor);
    placeBeside(element.current, anchor, "start");
  };
  useLayoutEffect(() => {
    if (!isShown) return;
    element.current?.showPopover();
    document.addEventListener("scroll", place, true);
    return () => document.removeEventListener("scroll", place, true);
  }, [isShown]);
  useLayoutEffect(place);
  return element;
}

function OfferLines({ box, title }: Titled) {
  const { active, offers } = box.offering;
  useChosenInSight(offerId(box, active.value));
  return (
    <>
      <p aria-hidden="true">{title}</p>
      <div id={offersId(box)} role="listbox" aria-label={title}>
        {offers.value.map((offer, index) => (
          <OfferLine key={offer.key} box={box} offer={offer} index={index} />
        ))}
      </div>
    </>
  );
}

function OfferLine({ box, offer, index }: { box: TextBox; offer: Offer; index: number }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      id={offerId(box, index)}
      role="option"
      aria-selected={index === box.offering.active.value}
      // The text field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => box.offering.take(offer)}
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
      return noteOfPerson(about);
    case "group":
      return composeWords.groupOf(about.size);
    case "wildcard":
      return composeWords.wildcards[about.of];
    case "snippet":
      return composeWords.ownText;
    default:
      return "";
  }
}

/**
 * The place from which the writer may know somebody. Otherwise, or if several people have one name,
 * the e-mail address.
 */
function noteOfPerson({ userId, near }: Extract<About, { kind: "person" }>): string {
  const user = users.value.get(userId);
  const place = near === "all" ? "" : composeWords.near[near];
  const isTold = user && (near === "all" || hasNamesake(user, users.value));
  return isTold ? (user.delivery_email ?? place) : place;
}
