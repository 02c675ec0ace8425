import { useEffect, useId, useState } from "preact/hooks";
import {
  cleanName,
  faultOfName,
  nameLengthMax,
  nameOfFile,
  pictureMibMax,
} from "../model/custom-emoji";
import { isAdministrator } from "../model/permissions";
import { Refusal } from "../net/api";
import { loadPart } from "../net/build";
import { sendEmoji } from "../net/picture";
import { useBegunForm } from "../parts/begun-form";
import { DialogForm, showDialog } from "../parts/dialog";
import { notify } from "../store/notices";
import { model } from "../store/state";
import { emojiWords } from "../words/emoji";
import { PictureField } from "./picture-field";

/** Asks for the name and the picture of a new emoji. */
export const openNewEmoji = (): void =>
  showDialog({ title: emojiWords.addOne, body: () => <NewEmojiForm /> });

const bytesPerMib = 1_048_576;

function NewEmojiForm() {
  const { form, set, end } = useBegunForm("new emoji", { name: "" });
  const [picture, setPicture] = useState<File>();
  const [refusal, setRefusal] = useState<string>();
  const builtIn = useBuiltInNames();
  const name = cleanName(form.name);
  const fault = faultOfName(name, { model: model.value, builtIn });
  const take = (file: File | undefined, why = file && whyNot(file)) => {
    setRefusal(why);
    setPicture(why === undefined ? file : undefined);
    if (file && why === undefined && name === "") set({ name: nameOfFile(file.name) });
  };
  const send = async () => {
    if (fault) throw refused(emojiWords.nameFaults[fault](name));
    if (!picture) throw refused(refusal ?? emojiWords.pictureMissing);
    await sendEmoji(name, picture);
    end();
    notify(emojiWords.added(name));
  };
  return (
    <DialogForm action={emojiWords.add} send={send}>
      <NameField
        typed={form.name}
        type={(typed) => set({ name: typed })}
        // While somebody is typing, no name has come to its end.
        fault={fault === "empty" || fault === "end" ? undefined : fault}
        isReplacement={fault === undefined && builtIn.has(name) && isAdministrator(model.value)}
      />
      <PictureField
        picture={picture}
        refusal={refusal}
        take={take}
        refuse={() => take(undefined, emojiWords.pictureUnreadable)}
      />
    </DialogForm>
  );
}

/** A refusal by the client, which is told like one by the server. */
const refused = (text: string): Refusal => new Refusal(400, "BAD_REQUEST", text);

/** Why a file cannot be the picture; undefined if it can. */
function whyNot({ type, size }: File): string | undefined {
  if (!type.startsWith("image/")) return emojiWords.pictureUnreadable;
  return size > pictureMibMax * bytesPerMib ? emojiWords.pictureLarge(pictureMibMax) : undefined;
}

interface NameProps {
  typed: string;
  type(typed: string): void;
  fault: keyof typeof emojiWords.nameFaults | undefined;
  /** Whether the emoji takes the place of one that everybody has. */
  isReplacement: boolean;
}

function NameField({ typed, type, fault, isReplacement }: NameProps) {
  const id = useId();
  const name = cleanName(typed);
  return (
    <>
      <label class="labelled" for={id}>
        {emojiWords.name}
      </label>
      <input
        id={id}
        type="text"
        class="field"
        dir="auto"
        required
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        maxLength={nameLengthMax}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-help ${id}-told`}
        value={typed}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
      <p class="quiet hint" id={`${id}-help`}>
        {emojiWords.nameHelp}
      </p>
      <div class="effects" role="status" id={`${id}-told`}>
        {fault && <p>{emojiWords.nameFaults[fault](name)}</p>}
        {isReplacement && <p>{emojiWords.replaces(name)}</p>}
      </div>
    </>
  );
}

/** The one emoji that has no character, but belongs to everybody. */
const extraEmojiName = "zulip";

let loaded: ReadonlySet<string> = new Set([extraEmojiName]);

/** Names of the emoji that everybody has, as soon as their table is loaded. */
function useBuiltInNames(): ReadonlySet<string> {
  const [names, setNames] = useState(loaded);
  useEffect(() => {
    if (loaded.size > 1) return;
    loadPart(() => import("../parts/emoji-names")).then(
      ({ emojiNames }) => {
        const all = Object.values(emojiNames).flatMap((some) => some.split(" "));
        loaded = new Set([extraEmojiName, ...all]);
        setNames(loaded);
      },
      // Without the table the server alone checks for such names.
      () => {},
    );
  }, []);
  return names;
}
