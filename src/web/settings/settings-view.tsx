import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type SectionName, sectionNames, sectionOf } from "../model/setting-sections";
import { useRoving } from "../parts/roving-lines";
import { place } from "../store/place";
import { forgetSavings } from "../store/saving";
import { Line } from "../views/line";
import { words } from "../words/words";
import { Account } from "./account";
import { AlertWords } from "./alert-words";
import { Appearance } from "./appearance";
import { OwnExport } from "./export";
import { Muted } from "./muted";
import { Notifications } from "./notifications";
import { OrganizationSection } from "./organization";
import { Privacy } from "./privacy";
import { Profile } from "./profile";
import { Reading } from "./reading";

const sections: Readonly<Record<SectionName, ComponentType>> = {
  profile: Profile,
  appearance: Appearance,
  notifications: Notifications,
  reading: Reading,
  privacy: Privacy,
  account: Account,
  muted: Muted,
  alerts: AlertWords,
  export: OwnExport,
  organization: OrganizationSection,
};

/** The settings: the list of sections, and the open section. */
export function SettingsView() {
  const name = sectionOf(place.value.part);
  const list = useRef<HTMLElement>(null);
  useRoving(list);
  useEffect(() => forgetSavings, [name]);
  // On a phone the list is one row, which scrolls sideways.
  useEffect(() => {
    const current = list.current?.querySelector("[aria-current]");
    current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [name]);
  const Section = sections[name];
  return (
    <div class="pane settings">
      <nav ref={list} aria-label={words.views.settings}>
        <ul>
          {sectionNames.map((one) => (
            <Line
              key={one}
              href={`#settings/${one}`}
              isCurrent={one === name}
              name={words.views.sections[one]}
            />
          ))}
        </ul>
      </nav>
      <section key={name} aria-labelledby="section-name">
        <h2 id="section-name">{words.views.sections[name]}</h2>
        <Section />
      </section>
    </div>
  );
}
