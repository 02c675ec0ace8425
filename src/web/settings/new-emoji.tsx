import { signal } from "@preact/signals";
import { useEffect, useId, useState } from "preact/hooks";
import { lengthsMax } from "../../protocol/limits";
import {
  cleanName,
  faultOfName,
  type NameFault,
  nameOfFile,
  pictureMibMax,
} from "../model/custom-emoji";
import { isAdministrator } from "../model/permissions";
import { loadPart } from "../net/build";
import { sendEmoji } from "../net/picture";
import { refusedHere } from "../net/refusal";
import { useBegunForm } from "../parts/begun-form";
import { DialogForm, showDialog } from "../parts/dialog";
import { notify } from "../store/notices";
import { model } from "../store/state";
import { emojiWords } from "../words/emoji";
import { words } from "../words/words";
import { PictureField } from "./picture-field";

/** Asks for the name and the picture of a new emoji. */
export const openNewEmoji = (): void =>
  showDialog({ title: emojiWords.addOne, body: () => <NewEmojiForm /> });

const bytesPerMib = 1_048_576;

function NewEmojiForm() {
  const { form, set, end } = useBegunForm("new emoji", { name: "" });
  const [isSending, setSending] = useState(false);
  const name = cleanName(form.name);
  const { picture, refusal, take, refuse } = usePicture((file) => {
    if (name === "") set({ name: nameOfFile(file.name) });
  });
  useEffect(() => void loadBuiltIn().catch(() => undefined), []);
  const fault = faultOfName(name, { model: model.value, builtIn: builtIn.value });
  const isReplacement = fault === undefined && builtIn.value.has(name);
  const send = async () => {
    if (!picture) throw refusedHere(refusal ?? emojiWords.pictureMissing);
    setSending(true);
    try {
      await requireTold(name, isReplacement);
      await sendEmoji(name, picture);
    } catch (error) {
      setSending(false);
      throw error;
    }
    end();
    notify(emojiWords.added(name));
  };
  return (
    <DialogForm action={emojiWords.add} send={send}>
      <NameField
        typed={form.name}
        type={(typed) => set({ name: typed })}
        // The event of the emoji may come before the answer, and its name is taken then.
        fault={isSending ? undefined : fault}
        isReplacement={isReplacement}
      />
      <PictureField
        picture={picture}
        refusal={refusal}
        take={take}
        refuse={() => refuse(emojiWords.pictureUnreadable)}
      />
    </DialogForm>
  );
}

/** The chosen picture, or why a file was not taken; `taken` is called with one that was. */
function usePicture(taken: (file: File) => void) {
  const [picture, setPicture] = useState<File>();
  const [refusal, setRefusal] = useState<string>();
  const accept = (file: File) => {
    setRefusal(undefined);
    setPicture(file);
    taken(file);
  };
  const refuse = (why: string) => {
    setRefusal(why);
    setPicture(undefined);
  };
  const take = (file: File) => {
    const why = whyNot(file);
    if (why === undefined) accept(file);
    else refuse(why);
  };
  return { picture, refusal, take, refuse };
}

/** Why a file cannot be the picture; undefined if it can. */
function whyNot({ type, size }: File): string | undefined {
  if (!type.startsWith("image/")) return emojiWords.pictureUnreadable;
  return size > pictureMibMax * bytesPerMib ? emojiWords.pictureLarge(pictureMibMax) : undefined;
}

interface NameProps {
  typed: string;
  type(typed: string): void;
  fault: NameFault | undefined;
  /** Whether the emoji takes the place of one that everybody has. */
  isReplacement: boolean;
}

function NameField({ typed, type, fault, isReplacement }: NameProps) {
  const id = useId();
  const [isTried, setTried] = useState(false);
  const name = cleanName(typed);
  // Until the form is sent, the name may be incomplete, because somebody is typing it.
  const isTold = fault !== undefined && (isTried || (fault !== "empty" && fault !== "end"));
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
        maxLength={lengthsMax.emojiName}
        aria-invalid={isTold}
        aria-describedby={`${id}-help ${id}-told`}
        value={typed}
        ref={(field) => field?.setCustomValidity(fault ? emojiWords.nameFaults[fault](name) : "")}
        onInvalid={(event) => {
          // The text below the field replaces the browser's own.
          event.preventDefault();
          event.currentTarget.focus();
          setTried(true);
        }}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
      <p class="quiet hint" id={`${id}-help`}>
        {emojiWords.nameHelp}
      </p>
      <div class="effects" role="status" id={`${id}-told`}>
        {isTold && <p>{emojiWords.nameFaults[fault](name)}</p>}
        {isReplacement && <p>{emojiWords.replaces(name)}</p>}
      </div>
    </>
  );
}

/** The one emoji that has no character, but belongs to everybody. */
const extraEmojiName = "zulip";

/** Names of the emoji that everybody has; one only until their table is loaded. */
const builtIn = signal<ReadonlySet<string>>(new Set([extraEmojiName]));

async function loadBuiltIn(): Promise<void> {
  if (builtIn.peek().size > 1) return;
  const { emojiNames } = await loadPart(() => import("../parts/emoji-names"));
  const all = Object.values(emojiNames).flatMap((some) => some.split(" "));
  builtIn.value = new Set([extraEmojiName, ...all]);
}

/**
 * Refuses to replace an emoji that everybody has without a word, because the table of their names
 * may be loaded after somebody has typed one.
 */
async function requireTold(name: string, isTold: boolean): Promise<void> {
  // The server refuses it to all others.
  if (!isAdministrator(model.value)) return;
  await loadBuiltIn().catch(() => {
    throw refusedHere(words.actions.partIsGone);
  });
  if (builtIn.peek().has(name) && !isTold) throw refusedHere(emojiWords.readNote);
}
