import { zooms } from "../model/media";
import { Icon, type IconName } from "../parts/icon";
import { linkToMessage } from "../store/links";
import { moments } from "../store/moments";
import { senderOf } from "../store/names";
import { lightboxWords } from "../words/lightbox";
import type { Media } from "./media";

interface BarProps {
  media: Media;
  zoom: number;
  zoomBy(by: 1 | -1): void;
  close(): void;
}

/** The bar above a picture: its name, its sender, and buttons. */
export function Bar({ media, zoom, zoomBy, close }: BarProps) {
  const { message, name, address, kind } = media;
  const moment = moments.value.whole(new Date(message.timestamp * 1_000));
  return (
    <header>
      <div class="about">
        <b dir="auto">{name}</b>
        <small dir="auto">{lightboxWords.from(senderOf(message).full_name, moment)}</small>
      </div>
      {kind === "picture" && (
        <>
          <Tool
            icon="minus"
            name={lightboxWords.zoomOut}
            keys="-"
            isOff={zoom <= 1}
            run={() => zoomBy(-1)}
          />
          <Tool
            icon="plus"
            name={lightboxWords.zoomIn}
            keys="+"
            isOff={zoom >= (zooms.at(-1) ?? 1)}
            run={() => zoomBy(1)}
          />
        </>
      )}
      <ToolLink icon="globe" name={lightboxWords.open} href={address} target="_blank" />
      <ToolLink icon="download" name={lightboxWords.download} href={address} download={name} />
      <ToolLink
        icon="chat"
        name={lightboxWords.show}
        href={linkToMessage(message)}
        onClick={(event) => {
          if (isOpenedElsewhere(event)) return;
          // The message takes the place of the picture in the history.
          event.preventDefault();
          location.replace(linkToMessage(message));
          close();
        }}
      />
      <Tool icon="close" name={lightboxWords.close} keys="Esc" form="tool leave" run={close} />
    </header>
  );
}

/** Whether a browser opens a link that is pressed in another tab or window. */
const isOpenedElsewhere = ({ ctrlKey, metaKey, shiftKey }: MouseEvent): boolean =>
  ctrlKey || metaKey || shiftKey;

interface ToolProps {
  icon: IconName;
  name: string;
  keys: string;
  isOff?: boolean;
  form?: string;
  run(): void;
}

/** A button. It keeps the focus when it is disabled. */
const Tool = ({ icon, name, keys, isOff = false, form = "tool", run }: ToolProps) => (
  <button
    type="button"
    class={form}
    title={`${name}  ${keys}`}
    aria-label={name}
    aria-disabled={isOff}
    onClick={isOff ? undefined : run}
  >
    <Icon name={icon} />
  </button>
);

interface ToolLinkProps {
  icon: IconName;
  name: string;
  href: string;
  target?: "_blank";
  download?: string;
  onClick?: (event: MouseEvent) => void;
}

const ToolLink = ({ icon, name, href, ...more }: ToolLinkProps) => (
  <a class="tool" href={href} title={name} aria-label={name} rel="noopener" {...more}>
    <Icon name={icon} />
  </a>
);

interface StepsProps {
  /** The index of the shown one. */
  at: number;
  all: number;
  step(by: 1 | -1): void;
}

/** The buttons for the previous and the next one. */
export function Steps({ at, all, step }: StepsProps) {
  if (all < 2) return null;
  return (
    <footer>
      <Tool
        icon="back"
        name={lightboxWords.previous}
        keys="←"
        isOff={at === 1}
        run={() => step(-1)}
      />
      <span role="status">{lightboxWords.count(at, all)}</span>
      <Tool
        icon="right"
        name={lightboxWords.next}
        keys="→"
        isOff={at === all}
        run={() => step(1)}
      />
    </footer>
  );
}
