import { render } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { placeAfter, zoomAfter } from "../model/media";
import { isFocusFree } from "../parts/focus-free";
import { feedOf } from "../store/feeds";
import { isHiddenMessage } from "../store/muted-messages";
import { notify } from "../store/notices";
import { place } from "../store/place";
import { lightboxWords } from "../words/lightbox";
import { closeByBack, leaveEntry } from "./back";
import { Bar, Steps } from "./bar";
import { addressOf, type Media, mediaIn } from "./media";
import { Stage } from "./stage";

/** The element in which the lightbox is drawn while it is open. */
let host: HTMLElement | undefined;

const isSame = (one: Media, other: Media): boolean =>
  one.address === other.address && one.message.id === other.message.id;

/** The picture that was pressed. Other hidden media of messages are left out. */
interface Opened {
  readonly messageId: number;
  readonly address: string | undefined;
}

/** The media of the open conversation that are shown. */
const mediaHere = ({ messageId, address }: Opened): readonly Media[] =>
  mediaIn(
    (feedOf(place.value.narrow)?.messages ?? []).filter((one) => !isHiddenMessage(one)),
  ).filter((one) => !one.isHidden || (one.message.id === messageId && one.address === address));

/** Opens a picture of a message, or the message's first one, in the lightbox. */
export function openLightbox(messageId: number, element?: Element): void {
  const opened = { messageId, address: element && addressOf(element) };
  const { address } = opened;
  const wanted = mediaHere(opened).find(
    (one) => one.message.id === messageId && (address === undefined || one.address === address),
  );
  if (!wanted || host) return;
  const feed = document.querySelector(".feed");
  const top = feed?.scrollTop ?? 0;
  const opener = document.activeElement;
  const container = document.createElement("div");
  host = container;
  document.body.append(container);
  const close = () => {
    if (host !== container) return;
    host = undefined;
    leaveEntry();
    render(null, container);
    container.remove();
    giveFocusBack(opener, messageId);
    if (feed) feed.scrollTop = top;
  };
  closeByBack(close);
  render(<Lightbox {...{ opened, wanted, close }} />, container);
}

/**
 * Returns the focus to its former place, or to the message if its content was drawn again. A focus
 * that a later key has moved stays.
 */
function giveFocusBack(opener: Element | null, messageId: number): void {
  if (!isFocusFree()) return;
  const row = document.querySelector<HTMLElement>(`article[data-id="${messageId}"]`);
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
  const target = isThere ? opener : (row ?? document.querySelector<HTMLElement>(".feed"));
  target?.focus({ preventScroll: true });
}

interface LightboxProps {
  opened: Opened;
  wanted: Media;
  close: () => void;
}

function Lightbox(props: LightboxProps) {
  const { close } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [zoom, setZoom] = useState(1);
  const { all, index, go } = useMedia(props);
  const shown = all[index];
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  const step = (by: 1 | -1) => {
    setZoom(1);
    go(by);
  };
  const zoomBy = (by: 1 | -1) => setZoom(zoomAfter(zoom, by));
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    const run = meaningOf(event, { step, zoomBy, fit: () => setZoom(1), close });
    if (!run) return;
    event.preventDefault();
    run();
  };
  return (
    <dialog
      ref={dialog}
      class="lightbox"
      aria-label={lightboxWords.title}
      onClose={close}
      onKeyDown={onKeyDown}
    >
      {shown && (
        <>
          <Bar media={shown} zoom={zoom} zoomBy={zoomBy} close={close} />
          <Stage media={shown} zoom={zoom} setZoom={setZoom} step={step} />
          <Steps at={index + 1} all={all.length} step={step} />
        </>
      )}
    </dialog>
  );
}

/**
 * The media as they are now; those from before while the conversation is loaded anew, because it
 * was moved. If the shown one is deleted, the next one is shown. Without any, the lightbox closes.
 */
function useMedia({ opened, wanted, close }: LightboxProps) {
  const [current, setCurrent] = useState(wanted);
  const before = useRef<readonly Media[]>([]);
  const isLoading = feedOf(place.value.narrow)?.isLoaded === false;
  const all = isLoading && before.current.length > 0 ? before.current : mediaHere(opened);
  const found = all.findIndex((one) => isSame(one, current));
  const at = before.current.findIndex((one) => isSame(one, current));
  const index = found >= 0 ? found : placeAfter(before.current, Math.max(at, 0), all, isSame);
  const there = all[index];
  useLayoutEffect(() => {
    before.current = all;
    if (there && found < 0) setCurrent(there);
    if (there) return;
    notify(lightboxWords.gone);
    close();
  });
  const go = (by: 1 | -1) => {
    const next = all[index + by];
    if (next) setCurrent(next);
  };
  return { all, index, go };
}

interface Actions {
  step(by: 1 | -1): void;
  zoomBy(by: 1 | -1): void;
  fit(): void;
  /**
   * Esc is not left to the browser, which tells of it only a moment later. Keys that are pressed
   * until then must find the lightbox closed.
   */
  close(): void;
}

/** The meaning of a key. While a video or a sound has the focus, it handles its own keys. */
function meaningOf(event: KeyboardEvent, { step, zoomBy, fit, close }: Actions) {
  const { target, key, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey) return undefined;
  if (target instanceof Element && target.matches("video, audio")) return undefined;
  const forward = document.dir === "rtl" ? -1 : 1;
  const meanings: Readonly<Record<string, () => void>> = {
    ArrowRight: () => step(forward),
    ArrowLeft: () => step(forward === 1 ? -1 : 1),
    "+": () => zoomBy(1),
    "=": () => zoomBy(1),
    "-": () => zoomBy(-1),
    "0": fit,
    Escape: close,
  };
  return Object.hasOwn(meanings, key) ? meanings[key] : undefined;
}
