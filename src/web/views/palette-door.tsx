import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { closeOver, overPage } from "../keys/palette-door";

type Name = Exclude<typeof overPage.value, undefined>["part"];

const parts: Readonly<Record<Name, () => Promise<ComponentType>>> = {
  palette: async () => (await import("../rare/parts")).Palette,
  help: async () => (await import("../rare/parts")).Help,
};

/** The palette or the list of keys above the page, each loaded when it is opened first. */
export function PaletteDoor() {
  const opening = overPage.value;
  const name = opening?.part;
  const [loaded, setLoaded] = useState<{ of: Name; Part: ComponentType }>();
  useEffect(() => {
    if (name === undefined || loaded?.of === name) return;
    // A part that is gone belongs to an older version of the page.
    parts[name]().then((Part) => setLoaded({ of: name, Part }), closeOver);
  }, [name, loaded]);
  return opening && loaded && loaded.of === name ? <loaded.Part key={opening} /> : null;
}
