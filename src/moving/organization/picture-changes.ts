import type { RealmPicture } from "../../realm/assets";
import type { DeclaredPicture } from "./declared-pictures";

/** A change of a picture. Null takes it away. */
export type PictureChange =
  | { kind: "setRealmPicture"; picture: RealmPicture; file: DeclaredPicture | null }
  | { kind: "addEmoji"; name: string; file: DeclaredPicture }
  | { kind: "replaceEmoji"; name: string; file: DeclaredPicture };

const kinds: ReadonlySet<string> = new Set<PictureChange["kind"]>([
  "setRealmPicture",
  "addEmoji",
  "replaceEmoji",
]);

/** Whether a change is one of these. */
export const isPictureChange = (change: { kind: string }): change is PictureChange =>
  kinds.has(change.kind);

const shown: Record<RealmPicture, string> = {
  icon: "icon",
  logo: "logo",
  night_logo: "logo for dark screens",
};

/** A change in a line for a person. */
export function describePictureChange(change: PictureChange): string {
  switch (change.kind) {
    case "setRealmPicture":
      return `~ organization: ${shown[change.picture]} ${change.file?.file ?? "none of its own"}`;
    case "addEmoji":
      return `+ emoji ${change.name}: ${change.file.file}`;
    case "replaceEmoji":
      return `~ emoji ${change.name}: ${change.file.file}`;
  }
}
