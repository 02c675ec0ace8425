import { lengthsMax } from "../../protocol/limits";
import { roles } from "../../protocol/roles";
import { directNarrow } from "../model/narrow-kind";
import { isAdministrator } from "../model/permissions";
import { patch } from "../net/api";
import { Rare } from "../parts/rare";
import { fragmentOf } from "../store/names";
import { channels, defaultChannels, model, organization, users } from "../store/state";
import { settingsWords } from "../words/settings";
import { words } from "../words/words";
import { Part } from "./controls";
import { MoreList } from "./more-list";
import { operatorCommands } from "./operator-commands";
import { TextRow } from "./text-row";

const { organization: own } = settingsWords;

/**
 * The organization: its facts, the people who run it, and for these the way to its other settings.
 */
export function OrganizationSection() {
  const isOffered = isAdministrator(model.value);
  return (
    <>
      {isOffered ? <ChangeableFacts /> : <Facts />}
      <Part name={own.administrators}>
        {!isOffered && <p class="quiet">{own.administratorsHelp}</p>}
        <MoreList
          rows={administrators()}
          draw={(user) => <Administrator key={user.user_id} {...user} />}
        />
      </Part>
      {isOffered && (
        <Rare name="administration" draw={({ OrganizationPeople }) => <OrganizationPeople />} />
      )}
      <Rare name="administration" draw={({ OrganizationEmoji }) => <OrganizationEmoji />} />
      {isOffered && <DefaultChannels />}
      {isOffered && <Commands />}
    </>
  );
}

const Facts = () => (
  <>
    <p dir="auto">
      <b>{organization.value.name}</b>
    </p>
    {organization.value.description !== "" && <p dir="auto">{organization.value.description}</p>}
  </>
);

const ChangeableFacts = () => (
  <>
    <TextRow
      control="organization name"
      label={own.name}
      saved={() => organization.value.name}
      send={(name) => patch("/realm", { name })}
      lengthMax={lengthsMax.realmName}
    />
    <TextRow
      control="organization description"
      label={own.description}
      saved={() => organization.value.description}
      send={(description) => patch("/realm", { description })}
      lengthMax={lengthsMax.realmDescription}
      isLong
    />
  </>
);

interface AdministratorProps {
  user_id: number;
  full_name: string;
  role: number;
}

const Administrator = ({ user_id: id, full_name: name, role }: AdministratorProps) => (
  <li>
    <a class="name" href={fragmentOf(directNarrow([id]))}>
      <bdi>{name}</bdi>
    </a>
    <small>{words.roles.get(role)}</small>
  </li>
);

/** Owners, then administrators. */
const administrators = (): readonly AdministratorProps[] =>
  [...users.value.values()]
    .filter(({ is_active, is_bot, role }) => is_active && !is_bot && role <= roles.administrator)
    .sort((one, other) => one.role - other.role || one.full_name.localeCompare(other.full_name));

/** Channels that new people are subscribed to; a channel's page changes that. */
function DefaultChannels() {
  const all = [...defaultChannels.value]
    .flatMap((id) => channels.value.get(id) ?? [])
    .sort((one, other) => one.name.localeCompare(other.name));
  return (
    <Part name={own.defaultChannels}>
      <p class="quiet">{all.length === 0 ? own.defaultChannelsNone : own.defaultChannelsHelp}</p>
      <MoreList
        rows={all}
        draw={({ stream_id: id, name }) => (
          <li key={id}>
            <a class="name" href={`#channels/${id}`}>
              <bdi>{name}</bdi>
            </a>
          </li>
        )}
      />
    </Part>
  );
}

/** The ways to what the web client has no controls for. */
const Commands = () => (
  <Part name={own.more}>
    <p class="quiet">{own.moreHelp}</p>
    <ul class="rows-of-settings commands">
      {operatorCommands.map(([task, command]) => (
        <li key={task}>
          <span class="name">{own.tasks[task]}</span>
          <code>{command}</code>
        </li>
      ))}
    </ul>
  </Part>
);
