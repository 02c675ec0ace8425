import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { movingMibMax } from "../model/custom-emoji";
import { emojiWords } from "../words/emoji";

interface PictureProps {
  picture: File | undefined;
  /** Why the last file was not taken. */
  refusal: string | undefined;
  take(file: File): void;
  /** Called when the browser cannot show the picture. */
  refuse(): void;
}

/** A field for the picture of an emoji, which is chosen, or dropped on it. */
export function PictureField({ picture, refusal, take, refuse }: PictureProps) {
  const helpId = useId();
  return (
    <DropArea take={take}>
      <legend>{emojiWords.picture}</legend>
      <div class="choices">
        {picture && <Preview picture={picture} refuse={refuse} />}
        <Chooser take={take} helpId={helpId} />
        <span class="quiet hint by-mouse">{emojiWords.drop}</span>
      </div>
      <p class="quiet hint" role="status" dir="auto">
        {picture?.name}
      </p>
      {refusal !== undefined && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
      <p class="quiet hint" id={helpId}>
        {emojiWords.pictureHelp(movingMibMax)}
      </p>
    </DropArea>
  );
}

function Preview({ picture, refuse }: { picture: File; refuse: () => void }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(picture);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);
  return url === undefined ? null : <img class="emoji-sample" src={url} alt="" onError={refuse} />;
}

interface Taking {
  take(file: File): void;
}

/** A button that opens the file chooser. */
function Chooser({ take, helpId }: Taking & { helpId: string }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class="button"
        aria-describedby={helpId}
        onClick={() => field.current?.click()}
      >
        {emojiWords.choose}
      </button>
      <input
        ref={field}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        hidden
        aria-label={emojiWords.choose}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // The person may choose one file twice.
          currentTarget.value = "";
          if (file) take(file);
        }}
      />
    </>
  );
}

/** A part of a form that takes the first of the files that are dropped on it. */
function DropArea({ take, children }: Taking & { children: ComponentChildren }) {
  const [isOver, setOver] = useState(false);
  const follow = (event: DragEvent, isNowOver: boolean) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    // The file is for this field alone: the page takes other files that are dropped for a message.
    event.stopPropagation();
    event.preventDefault();
    setOver(isNowOver);
  };
  return (
    <fieldset
      class={isOver ? "drop on" : "drop"}
      onDragOver={(event) => follow(event, true)}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
        if (!isInside) setOver(false);
      }}
      onDrop={(event) => {
        follow(event, false);
        const [file] = event.dataTransfer?.files ?? [];
        if (file) take(file);
      }}
    >
      {children}
    </fieldset>
  );
}
