import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";

const text = Type.String();

/** The organization has a new icon. To the realm. */
export const iconChanged = event("realm", "update_dict", {
  property: Type.Literal("icon"),
  data: Type.Object({ icon_url: text, icon_source: text }),
});

/** The organization has a new logo for light screens. To the realm. */
export const logoChanged = event("realm", "update_dict", {
  property: Type.Literal("logo"),
  data: Type.Object({ logo_url: text, logo_source: text }),
});

/** The organization has a new logo for dark screens. To the realm. */
export const nightLogoChanged = event("realm", "update_dict", {
  property: Type.Literal("night_logo"),
  data: Type.Object({ night_logo_url: text, night_logo_source: text }),
});
