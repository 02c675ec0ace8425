import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { lengthsMax } from "../../protocol/limits";
import { channelNarrow } from "../model/narrow-kind";
import { mayCreateChannel } from "../model/permissions";
import { patch, post } from "../net/api";
import { copyText } from "../parts/copying";
import { Icon, type IconName } from "../parts/icon";
import { LinkField } from "../parts/link-field";
import { withRarePart } from "../parts/rare";
import { firstSteps } from "../store/choices";
import { fragmentOf } from "../store/names";
import { notify, reasonOf } from "../store/notices";
import { serverSeconds } from "../store/server-time";
import { channels, me, model, organization, users } from "../store/state";
import { firstStepWords } from "../words/first-steps";
import { words } from "../words/words";

const newForSeconds = 14 * 86_400;

/** Suggested steps for a newcomer, shown while the organization is new, or the person in it. */
export function FirstSteps() {
  const seconds = serverSeconds();
  const own = users.value.get(me.value);
  const isNew = (since: number) => seconds - since < newForSeconds;
  if (!own || own.is_guest || firstSteps.value === "hidden") return null;
  const isFounder = own.is_admin && isNew(organization.value.date_created);
  const isNewcomer = isNew(Date.parse(own.date_joined) / 1_000);
  if (!isFounder && !isNewcomer) return null;
  return (
    <section class="steps" aria-labelledby="first-steps">
      <h2 id="first-steps" dir="auto">
        {firstStepWords.welcome(organization.value.name)}
      </h2>
      <p>{firstStepWords.summary}</p>
      <ol>
        {isFounder ? (
          <StepsOfFounder ownName={own.full_name} ownAddress={own.delivery_email ?? own.email} />
        ) : (
          <StepsOfMember isPictured={own.avatar_version > 1} />
        )}
        {areNotificationsUnasked() && (
          <Step
            icon="bell"
            name={firstStepWords.notifications}
            help={firstStepWords.notificationsHelp}
          >
            <button type="button" class="main-action" onClick={turnOnNotifications}>
              {firstStepWords.notificationsTurnOn}
            </button>
          </Step>
        )}
        <Step icon="phone" name={firstStepWords.client} help={firstStepWords.clientHelp}>
          <a class="chip" href="/connect">
            {firstStepWords.clientHow}
          </a>
        </Step>
      </ol>
      <button type="button" class="chip" onClick={hide}>
        {firstStepWords.hide}
      </button>
    </section>
  );
}

const hide = () => {
  firstSteps.value = "hidden";
};

/** Whether this browser can show notifications, but has not been asked for the permission yet. */
const areNotificationsUnasked = () =>
  "Notification" in globalThis &&
  "serviceWorker" in navigator &&
  Notification.permission === "default";

const turnOnNotifications = () => void withRarePart("notifications", ({ turnOn }) => void turnOn());

/** Facts that the first start of a server makes up about the organization and its owner. */
const given = { organization: "chatd", owner: "Owner", address: "owner@example.com" };

function StepsOfFounder({ ownName, ownAddress }: { ownName: string; ownAddress: string }) {
  const hasOwnChannel = [...channels.value.values()].some(
    ({ creator_id, stream_id }) => creator_id === me.value && stream_id > 0,
  );
  return (
    <>
      {organization.value.name === given.organization && (
        <Step
          icon="draft"
          name={firstStepWords.organization}
          help={firstStepWords.organizationHelp}
        >
          <NameForm
            label={firstStepWords.organizationField}
            lengthMax={lengthsMax.realmName}
            button={words.actions.save}
            send={(name) => patch("/realm", { name })}
          />
        </Step>
      )}
      {ownName === given.owner && (
        <Step icon="people" name={firstStepWords.name} help={firstStepWords.nameHelp}>
          <NameForm
            label={firstStepWords.nameField}
            lengthMax={lengthsMax.fullName}
            button={words.actions.save}
            send={(full_name) => patch("/settings", { full_name })}
          />
        </Step>
      )}
      {ownAddress === given.address && (
        <Step icon="lock" name={firstStepWords.account} help={firstStepWords.accountHelp}>
          <a class="chip" href="#settings/account">
            {firstStepWords.accountOpen}
          </a>
        </Step>
      )}
      <Step icon="people" name={firstStepWords.invite} help={firstStepWords.inviteHelp}>
        <InviteLink />
      </Step>
      {!hasOwnChannel && mayCreateChannel(model.value, false) && (
        <Step icon="hash" name={firstStepWords.channel} help={firstStepWords.channelHelp}>
          <NameForm
            label={firstStepWords.channelName}
            placeholder="design"
            lengthMax={lengthsMax.channelName}
            button={firstStepWords.channelMake}
            send={(name) => post("/channels/create", { name, subscribers: [me.value] })}
          />
        </Step>
      )}
    </>
  );
}

function StepsOfMember({ isPictured }: { isPictured: boolean }) {
  const own = [...channels.value.values()].filter(({ standing }) => standing === "subscribed");
  const [first] = own.toSorted((one, other) => other.subscriber_count - one.subscriber_count);
  return (
    <>
      {first && (
        <Step icon="chat" name={firstStepWords.hello} help={firstStepWords.helloHelp(first.name)}>
          <a class="main-action" href={fragmentOf(channelNarrow(first.stream_id))}>
            {firstStepWords.helloOpen(first.name)}
          </a>
        </Step>
      )}
      {!isPictured && (
        <Step icon="people" name={firstStepWords.picture} help={firstStepWords.pictureHelp}>
          <a class="chip" href="#settings/profile">
            {firstStepWords.pictureOpen}
          </a>
        </Step>
      )}
    </>
  );
}

interface StepProps {
  icon: IconName;
  name: string;
  help: string;
  children: ComponentChildren;
}

const Step = ({ icon, name, help, children }: StepProps) => (
  <li class="step">
    <span class="spot">
      <Icon name={icon} />
    </span>
    <div>
      <b>{name}</b>
      <p dir="auto">{help}</p>
      <div class="choices">{children}</div>
    </div>
  </li>
);

/**
 * The server's text about the last request if it was refused, and a function that runs one. While a
 * request is under way, others are not begun.
 */
function useRequest(): readonly [string | undefined, (send: () => Promise<unknown>) => void] {
  const [refusal, setRefusal] = useState<string>();
  const isBusy = useRef(false);
  const run = async (send: () => Promise<unknown>) => {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      await send();
      setRefusal(undefined);
    } catch (error) {
      setRefusal(reasonOf(error));
    } finally {
      isBusy.current = false;
    }
  };
  return [refusal, (send) => void run(send)];
}

function InviteLink() {
  const [link, setLink] = useState<string>();
  const [refusal, run] = useRequest();
  const [isCopied, setCopied] = useState(false);
  const make = async () => {
    const { invite_link } = await post("/invites/multiuse", {
      include_realm_default_subscriptions: true,
    });
    setLink(invite_link);
  };
  if (link === undefined)
    return (
      <>
        <button type="button" class="main-action" onClick={() => run(make)}>
          {firstStepWords.inviteMake}
        </button>
        {refusal !== undefined && <p role="alert">{refusal}</p>}
      </>
    );
  const copy = async () => {
    if (await copyText(link)) setCopied(true);
    else notify(words.actions.notCopied);
  };
  return (
    <>
      <LinkField link={link} label={firstStepWords.inviteLink} />
      <button type="button" class="main-action" onClick={() => void copy()}>
        {isCopied ? firstStepWords.copied : firstStepWords.copy}
      </button>
    </>
  );
}

interface NameFormProps {
  label: string;
  placeholder?: string;
  lengthMax: number;
  button: string;
  send(name: string): Promise<unknown>;
}

/** A field for a name, with the button that sends it. */
function NameForm({ label, placeholder, lengthMax, button, send }: NameFormProps) {
  const [name, setName] = useState("");
  const [refusal, run] = useRequest();
  const submit = (event: Event) => {
    event.preventDefault();
    const trimmed = name.trim();
    if (trimmed !== "") run(() => send(trimmed));
  };
  return (
    <form class="choices" onSubmit={submit}>
      <input
        class="field"
        dir="auto"
        aria-label={label}
        placeholder={placeholder}
        maxLength={lengthMax}
        value={name}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <button type="submit" class="main-action" aria-label={`${button}: ${label}`}>
        {button}
      </button>
      {refusal !== undefined && <p role="alert">{refusal}</p>}
    </form>
  );
}
