import { useState } from "preact/hooks";
import { TryAgain } from "../parts/try-again";
import { lightboxWords } from "../words/lightbox";
import type { Media } from "./media";
import { useSwipe } from "./swipe";

interface StageProps {
  media: Media;
  zoom: number;
  setZoom: (zoom: number) => void;
  step: (by: 1 | -1) => void;
}

/** The zoom level after a click on a picture that is shown whole. */
const clickZoom = 2;

/**
 * The place of a picture, a video or a sound. It has its size and the focus before anything is
 * loaded.
 */
export const Stage = (props: StageProps) => (
  <section
    class={props.zoom > 1 ? "stage zoomed" : "stage"}
    {...useSwipe(props.zoom === 1, props.step)}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
    tabIndex={0}
    // biome-ignore lint/a11y/noAutofocus: the keys act on what is shown.
    autoFocus
    aria-label={props.media.name}
  >
    <Shown key={`${props.media.message.id} ${props.media.address}`} {...props} />
  </section>
);

function Shown(props: StageProps) {
  const { kind, address } = props.media;
  const [hasFailed, setFailed] = useState(false);
  const fail = () => setFailed(true);
  if (hasFailed) return <NotLoaded again={() => setFailed(false)} />;
  switch (kind) {
    case "picture":
      return <Picture {...props} fail={fail} />;
    case "film":
      // biome-ignore lint/a11y/useMediaCaption: nobody has written one.
      return <video controls preload="metadata" src={address} onError={fail} />;
    case "sound":
      // biome-ignore lint/a11y/useMediaCaption: nobody has written one.
      return <audio controls preload="metadata" src={address} onError={fail} />;
  }
}

const NotLoaded = ({ again }: { again: () => void }) => (
  <p role="alert">
    {lightboxWords.notLoaded} <TryAgain again={again} />
  </p>
);

/** A picture. A smaller one is shown until it is loaded. A click enlarges it. */
function Picture({ media, zoom, setZoom, fail }: StageProps & { fail: () => void }) {
  const { address, thumbnail, name } = media;
  const [isThere, setThere] = useState(false);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys + and - do what a click does.
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons above are for those who hear.
    <div
      class="pictures"
      style={{ "--zoom": zoom }}
      onClick={() => setZoom(zoom > 1 ? 1 : clickZoom)}
    >
      {thumbnail !== undefined && !isThere && <img src={thumbnail} alt="" />}
      <img
        class={isThere ? "" : "coming"}
        src={address}
        alt={name}
        draggable={false}
        onLoad={() => setThere(true)}
        onError={fail}
      />
    </div>
  );
}
