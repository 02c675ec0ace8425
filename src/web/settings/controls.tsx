import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { changeSetting, type OwnSettings, ownSettings } from "../store/own-settings";
import type { FlagName } from "../words/en/settings";
import { settingsWords } from "../words/settings";
import { useChosen } from "./chosen";
import { offeredValues } from "./offered-values";
import { SavingNote } from "./saving-note";

const { flags, choices } = settingsWords;

/** A heading inside a section, with the content below it. */
export const Part = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <section class="part">
    <h3>{name}</h3>
    {children}
  </section>
);

/** A setting that is on or off. */
export function Flag({ name }: { name: keyof typeof flags & FlagName }) {
  const { name: label, help }: { name: string; help?: string } = flags[name];
  return (
    <SwitchRow
      control={name}
      label={label}
      help={help}
      isOn={ownSettings.value[name] === true}
      choose={(isOn) => changeSetting(name, isOn)}
    />
  );
}

interface SwitchProps {
  control: string;
  label: string;
  help?: string | undefined;
  isOn: boolean;
  /** The control shows what was chosen until a promise that this answers has ended. */
  choose(isOn: boolean): unknown;
}

/** A row with a switch. */
export function SwitchRow({ control, label, help, isOn, choose: chooseOne }: SwitchProps) {
  const helpId = useId();
  const [shown, choose] = useChosen(isOn, chooseOne);
  return (
    <div class="setting">
      <label class="choice">
        <input
          type="checkbox"
          checked={shown}
          aria-describedby={help === undefined ? undefined : helpId}
          onChange={({ currentTarget }) => choose(currentTarget.checked)}
        />
        {label}
      </label>
      <SavingNote control={control} />
      {help !== undefined && (
        <p class="quiet" id={helpId}>
          {help}
        </p>
      )}
    </div>
  );
}

type ChoiceName = keyof typeof offeredValues;

interface ChoiceProps<Name extends ChoiceName> {
  name: Name;
  /** The text for a value that is not in the list, which another client has chosen. */
  other?: (value: number) => string;
}

/** A setting with one of several values. */
export function Choice<Name extends ChoiceName>({ name, other = String }: ChoiceProps<Name>) {
  const { name: label, options }: ChoiceWords = choices[name];
  const value = ownSettings.value[name];
  const offered: readonly OwnSettings[Name][] = offeredValues[name];
  const all = offered.includes(value) ? offered : [...offered, value];
  return (
    <SelectRow
      control={name}
      label={label}
      value={String(value)}
      options={all.map((one) => [String(one), options[String(one)] ?? other(Number(one))])}
      choose={(chosen) => {
        const wanted = all.find((one) => String(one) === chosen);
        if (wanted !== undefined) void changeSetting(name, wanted);
      }}
    />
  );
}

interface ChoiceWords {
  readonly name: string;
  readonly options: Readonly<Record<string, string>>;
}

interface SelectProps {
  control: string;
  label: string;
  help?: string | undefined;
  value: string;
  options: readonly (readonly [value: string, words: string])[];
  isDisabled?: boolean;
  /** The control shows what was chosen until a promise that this answers has ended. */
  choose(value: string): unknown;
}

/** A row with a list of choices. */
export function SelectRow(props: SelectProps) {
  const { control, label, help, options, isDisabled = false } = props;
  const id = useId();
  const [value, choose] = useChosen(props.value, props.choose);
  return (
    <div class="setting">
      <label for={id}>{label}</label>
      <SavingNote control={control} />
      <select
        id={id}
        class="field"
        disabled={isDisabled}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {options.map(([one, words]) => (
          <option key={one} value={one} selected={one === value}>
            {words}
          </option>
        ))}
      </select>
      {help !== undefined && (
        <p class="quiet" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}

interface ExplainedProps {
  /** Name of the group of choices, of which one is chosen. */
  group: string;
  name: string;
  help: string;
  isChosen: boolean;
  isDisabled: boolean;
  choose(): void;
}

/** One of several choices in a dialog, with an explanation below its name. */
export function ExplainedChoice(props: ExplainedProps) {
  const { group, name, help, isChosen, isDisabled, choose } = props;
  const id = useId();
  return (
    <label class="choice explained">
      <input
        type="radio"
        name={group}
        checked={isChosen}
        disabled={isDisabled}
        aria-labelledby={id}
        aria-describedby={`${id}-help`}
        onChange={choose}
      />
      <span>
        <span id={id}>{name}</span>
        <small id={`${id}-help`}>{help}</small>
      </span>
    </label>
  );
}
