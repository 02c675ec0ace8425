import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { reasonOf } from "../store/notices";

interface FieldProps {
  label: string;
  value: string;
  set(text: string): void;
  isNew?: boolean;
}

/** A password field. Its value is not stored anywhere. */
export const PasswordField = ({ label, value, set, isNew = false }: FieldProps) => (
  <label class="labelled">
    {label}
    <input
      type="password"
      class="field"
      autocomplete={isNew ? "new-password" : "current-password"}
      required
      value={value}
      onInput={({ currentTarget }) => set(currentTarget.value)}
    />
  </label>
);

interface FormProps {
  control: string;
  /** Label of the button. */
  action: string;
  /** Returns a text that says that it is done. */
  send(): Promise<string>;
  children: ComponentChildren;
}

/** A form that needs the password. It tells the result, and keeps its values if it is refused. */
export function AccountForm({ control, action, send, children }: FormProps) {
  const [outcome, setOutcome] = useState<{ readonly isDone: boolean; readonly text: string }>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setOutcome(undefined);
    try {
      setOutcome({ isDone: true, text: await send() });
    } catch (error) {
      setOutcome({ isDone: false, text: reasonOf(error) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <form class="account-form" name={control} onSubmit={submit}>
      {children}
      <button type="submit" class="button" aria-busy={isBusy}>
        {action}
      </button>
      <p class={outcome && (outcome.isDone ? "quiet" : "refusal")} role="status" dir="auto">
        {outcome?.text}
      </p>
    </form>
  );
}
