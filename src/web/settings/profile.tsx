import { lengthsMax } from "../../protocol/limits";
import { isAdministrator } from "../model/permissions";
import { patch } from "../net/api";
import { ownSettings } from "../store/own-settings";
import { chooseZone } from "../store/own-zone";
import { me, model, organization, profileFields, server, users } from "../store/state";
import { zone } from "../store/zone";
import { settingsWords } from "../words/settings";
import { Part, SelectRow } from "./controls";
import { Picture } from "./picture";
import { ProfileFieldRow } from "./profile-field";
import { TextRow } from "./text-row";

const { profile } = settingsWords;

/** Facts about the person that others see on their card. */
export function Profile() {
  const own = users.value.get(me.value);
  if (!own) return null;
  const isNameFixed =
    (organization.value.name_changes_disabled || server.value.server_name_changes_disabled) &&
    !isAdministrator(model.value);
  return (
    <>
      <TextRow
        control="full_name"
        label={profile.name}
        help={isNameFixed ? profile.nameFixed : undefined}
        saved={() => users.value.get(me.value)?.full_name ?? ""}
        send={(full_name) => patch("/settings", { full_name })}
        lengthMax={lengthsMax.fullName}
        isDisabled={isNameFixed}
      />
      <Picture user={own} />
      <TimeZone />
      {profileFields.value.length > 0 && (
        <Part name={profile.fields}>
          {profileFields.value.map((field) => (
            <ProfileFieldRow key={field.id} field={field} />
          ))}
        </Part>
      )}
    </>
  );
}

/** The time zone in which others are told the person's local time. */
function TimeZone() {
  const chosen = ownSettings.value.timezone;
  const here = zone.value;
  const zones = new Set(["", here, chosen, ...Intl.supportedValuesOf("timeZone")]);
  const takeHere = (button: HTMLElement) => {
    // The button disappears when the time zone is saved.
    button.previousElementSibling?.querySelector("select")?.focus();
    void chooseZone(here);
  };
  return (
    <>
      <SelectRow
        control="timezone"
        label={profile.timezone}
        value={chosen}
        options={[...zones].map((one) => [one, one === "" ? profile.timezoneNone : one])}
        choose={chooseZone}
      />
      {chosen !== here && (
        <button
          type="button"
          class="button"
          onClick={({ currentTarget }) => takeHere(currentTarget)}
        >
          {profile.timezoneHere(here)}
        </button>
      )}
    </>
  );
}
