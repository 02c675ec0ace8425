import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { closeOver, overPage } from "../keys/palette-door";

type Over = Exclude<typeof overPage.value, undefined>;

const parts: Readonly<Record<Over, () => Promise<ComponentType>>> = {
  palette: async () => (await import("../rare/parts")).Palette,
  help: async () => (await import("../rare/parts")).Help,
};

/** The palette or the list of keys above the page, each loaded when it is opened first. */
export function PaletteDoor() {
  const open = overPage.value;
  const [loaded, setLoaded] = useState<{ of: Over; Part: ComponentType }>();
  useEffect(() => {
    if (open === undefined || loaded?.of === open) return;
    // A part that is gone belongs to an older version of the page.
    parts[open]().then((Part) => setLoaded({ of: open, Part }), closeOver);
  }, [open, loaded]);
  return open !== undefined && loaded?.of === open ? <loaded.Part /> : null;
}
