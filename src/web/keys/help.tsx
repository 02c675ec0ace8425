import { Icon } from "../parts/icon";
import { keyName } from "../parts/key-names";
import { singleKeys } from "../store/choices";
import { keyWords } from "../words/keys";
import { words } from "../words/words";
import { type Command, commands } from "./commands";
import { closeOverlay } from "./overlay";
import { OverlayDialog } from "./overlay-dialog";

/** The list of keys, and the choice whether single keys run commands. */
export function Help() {
  const groups = Map.groupBy(
    commands.filter(({ keys }) => keys.length > 0),
    ({ group }) => group,
  );
  return (
    <OverlayDialog name={keyWords.title} form="help">
      <header>
        <h2>{keyWords.title}</h2>
        <button
          type="button"
          class="tool"
          title={words.close}
          aria-label={words.close}
          onClick={closeOverlay}
        >
          <Icon name="close" />
        </button>
      </header>
      <div class="keys">
        <label>
          <input
            type="checkbox"
            checked={singleKeys.value === "on"}
            onChange={({ currentTarget }) => {
              singleKeys.value = currentTarget.checked ? "on" : "off";
            }}
          />
          {keyWords.singleKeys}
        </label>
        {[...groups].map(([group, all]) => (
          <section key={group}>
            <h3>{keyWords.groups[group]}</h3>
            <dl>
              {all.map((command) => (
                <Entry key={command.id} command={command} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </OverlayDialog>
  );
}

const Entry = ({ command }: { command: Command }) => (
  <div>
    <dt>{keyWords.commands[command.id]}</dt>
    <dd>
      {command.keys.map((keys) => (
        <kbd key={keys}>{keyName(keys)}</kbd>
      ))}
    </dd>
  </div>
);
