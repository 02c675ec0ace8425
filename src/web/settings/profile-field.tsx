import { useState } from "preact/hooks";
import { lengthsMax } from "../../protocol/limits";
import { fieldTypes } from "../../protocol/profile-field-types";
import { isAdministrator } from "../model/permissions";
import { choicesOfField, idsOfValue } from "../model/profile";
import type { ProfileField } from "../model/wire";
import { patch } from "../net/api";
import { Icon } from "../parts/icon";
import { OfferedPeople, peopleNamed } from "../parts/offered-people";
import { userName } from "../store/names";
import { saveUntilTold } from "../store/saving";
import { me, model, users } from "../store/state";
import { settingsWords } from "../words/settings";
import { useChosen } from "./chosen";
import { SelectRow } from "./controls";
import { SavingNote } from "./saving-note";
import { TextRow } from "./text-row";

const { profile } = settingsWords;

/** The greatest lengths that the server accepts, by type of the field. */
const valueLengthsMax: Readonly<Record<number, number>> = {
  [fieldTypes.paragraph]: lengthsMax.profileParagraph,
  [fieldTypes.link]: lengthsMax.profileLink,
};

const answerTo = (fieldId: number): string =>
  users.value.get(me.value)?.profile_data?.[String(fieldId)]?.value ?? "";

const sendValue = (id: number, value: string | readonly number[]) =>
  patch("/users/me/profile_data", { data: [{ id, value }] });

/** A custom profile field, with the person's value. */
export function ProfileFieldRow({ field }: { field: ProfileField }) {
  const { id, name, hint, type } = field;
  const control = `profile field ${id}`;
  const isDisabled = !field.editable_by_user && !isAdministrator(model.value);
  const help =
    [hint, field.required && profile.required, isDisabled && profile.byAdministrators]
      .filter((one) => one !== false && one !== "")
      .join(" ") || undefined;
  const shared = { control, label: name, help, isDisabled };
  if (type === fieldTypes.dropdown)
    return (
      <SelectRow
        {...shared}
        value={answerTo(id)}
        options={[["", profile.noChoice], ...choicesOfField(field)]}
        choose={(value) =>
          saveUntilTold(
            control,
            () => sendValue(id, value),
            () => answerTo(id) === value,
          )
        }
      />
    );
  if (type === fieldTypes.users) return <PeopleRow {...shared} fieldId={id} />;
  return (
    <TextRow
      {...shared}
      saved={() => answerTo(id)}
      send={(value) => sendValue(id, value)}
      type={type === fieldTypes.date ? "date" : type === fieldTypes.link ? "url" : "text"}
      lengthMax={valueLengthsMax[type] ?? lengthsMax.profileShortText}
      isLong={type === fieldTypes.paragraph}
    />
  );
}

interface PeopleProps {
  control: string;
  label: string;
  help: string | undefined;
  fieldId: number;
  isDisabled: boolean;
}

/** A profile field whose value is a list of people. */
function PeopleRow({ control, label, help, fieldId, isDisabled }: PeopleProps) {
  const [text, setText] = useState("");
  const saved = () => idsOfValue(answerTo(fieldId));
  // Each change sends the whole list, so it begins with the one before it, not with the saved list.
  const [ids, choose] = useChosen(saved(), (chosen) =>
    saveUntilTold(
      control,
      () => sendValue(fieldId, chosen),
      () => saved().join() === chosen.join(),
    ),
  );
  const set = (chosen: readonly number[]) => {
    setText("");
    choose(chosen);
  };
  return (
    <fieldset class="setting" disabled={isDisabled}>
      <legend>{label}</legend>
      <SavingNote control={control} />
      <div class="choices">
        {ids.map((id) => (
          <Named key={id} userId={id} remove={() => set(ids.filter((one) => one !== id))} />
        ))}
        <input
          type="text"
          class="field"
          dir="auto"
          placeholder={profile.addPerson}
          aria-label={`${profile.addPerson}: ${label}`}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </div>
      {text.trim() !== "" && (
        <OfferedPeople
          people={peopleNamed(text, { isChosen: (id) => ids.includes(id) })}
          choose={(id) => set([...ids, id])}
        />
      )}
      {help !== undefined && <p class="quiet">{help}</p>}
    </fieldset>
  );
}

const Named = ({ userId, remove }: { userId: number; remove: () => void }) => (
  <button
    type="button"
    class="chip"
    aria-label={profile.removePerson(userName(userId))}
    onClick={remove}
  >
    <span dir="auto">{userName(userId)}</span>
    <Icon name="close" />
  </button>
);
