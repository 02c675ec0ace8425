import { fieldTypes } from "../../protocol/profile-field-types";
import { choicesOfField, idsOfValue } from "../model/profile";
import type { ProfileField, User } from "../model/wire";
import { userName } from "../store/names";
import { profileFields } from "../store/state";

/** Somebody's custom profile fields. */
export function PersonFields({ user }: { user: User }) {
  const answered = profileFields.value.flatMap((field) => {
    const value = user.profile_data?.[String(field.id)]?.value ?? "";
    return value === "" ? [] : [{ field, value }];
  });
  if (answered.length === 0) return null;
  return (
    <dl>
      {answered.map(({ field, value }) => (
        <div key={field.id}>
          <dt dir="auto">{field.name}</dt>
          <dd dir="auto">
            <Answer field={field} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Answer({ field, value }: { field: ProfileField; value: string }) {
  switch (field.type) {
    case fieldTypes.users:
      return <>{idsOfValue(value).map(userName).join(", ")}</>;
    case fieldTypes.dropdown:
      return <>{choicesOfField(field).find(([choice]) => choice === value)?.[1] ?? value}</>;
    case fieldTypes.link:
      // A link with another scheme could run code.
      return /^https?:\/\//i.test(value) ? (
        <a href={value} target="_blank" rel="noopener noreferrer">
          {value}
        </a>
      ) : (
        <>{value}</>
      );
    default:
      return <>{value}</>;
  }
}
