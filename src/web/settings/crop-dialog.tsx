import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Crop, sideOf, wholeCrop, withinPicture, zoomMax } from "../model/crop";
import { sendPicture } from "../net/picture";
import { DialogForm, showDialog } from "../parts/dialog";
import { settingsWords } from "../words/settings";
import { words } from "../words/words";

/** The side length of the uploaded picture. The server makes all sizes from it. */
const sentPx = 500;

/** Lets the person choose the part of a picture to use as their avatar, and uploads it. */
export const openCrop = (picture: ImageBitmap): void =>
  showDialog({
    title: settingsWords.picture.crop,
    body: () => <CropForm picture={picture} />,
    onClose: () => picture.close(),
  });

function CropForm({ picture }: { picture: ImageBitmap }) {
  const [crop, setCrop] = useState(() => wholeCrop(picture));
  const canvas = useRef<HTMLCanvasElement>(null);
  const change = (by: Partial<Crop>) => setCrop(withinPicture(picture, { ...crop, ...by }));
  useLayoutEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context) draw(context, picture, crop);
  }, [picture, crop]);
  return (
    <DialogForm action={words.actions.save} send={() => sendCanvas(canvas.current)}>
      <CropArea {...{ picture, crop, change, canvas }} />
      <label class="labelled">
        {settingsWords.picture.zoom}
        <input
          type="range"
          min={1}
          max={zoomMax}
          step={0.05}
          value={crop.zoom}
          onInput={({ currentTarget }) => change({ zoom: currentTarget.valueAsNumber })}
        />
      </label>
    </DialogForm>
  );
}

function draw(context: CanvasRenderingContext2D, picture: ImageBitmap, crop: Crop): void {
  const side = sideOf(picture, crop);
  const [left, top] = [crop.x - side / 2, crop.y - side / 2];
  context.clearRect(0, 0, sentPx, sentPx);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, left, top, side, side, 0, 0, sentPx, sentPx);
}

async function sendCanvas(canvas: HTMLCanvasElement | null): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  canvas?.toBlob(resolve, "image/png");
  const blob = await promise;
  if (blob) await sendPicture(blob);
}

interface AreaProps {
  picture: ImageBitmap;
  crop: Crop;
  change(by: Partial<Crop>): void;
  canvas: { current: HTMLCanvasElement | null };
}

/** The directions in which arrow keys move the picture. */
const steps: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
const stepsPerSide = 20;

/** The chosen part as others will see it. It is moved by dragging and by arrow keys. */
function CropArea({ picture, crop, change, canvas }: AreaProps) {
  const side = sideOf(picture, crop);
  const onKeyDown = (event: KeyboardEvent) => {
    const [x, y] = steps[event.key] ?? [0, 0];
    if (x === 0 && y === 0) return;
    event.preventDefault();
    change({ x: crop.x + (x * side) / stepsPerSide, y: crop.y + (y * side) / stepsPerSide });
  };
  const onPointerMove = (event: PointerEvent & { readonly currentTarget: HTMLCanvasElement }) => {
    const { currentTarget, movementX, movementY, pointerId } = event;
    if (!currentTarget.hasPointerCapture(pointerId)) return;
    const perPx = side / currentTarget.clientWidth;
    change({ x: crop.x - movementX * perPx, y: crop.y - movementY * perPx });
  };
  return (
    <canvas
      ref={canvas}
      class="crop"
      width={sentPx}
      height={sentPx}
      tabIndex={0}
      role="img"
      aria-label={settingsWords.picture.cropHelp}
      title={settingsWords.picture.cropHelp}
      onKeyDown={onKeyDown}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={onPointerMove}
    />
  );
}
