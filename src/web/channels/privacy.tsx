import { useState } from "preact/hooks";
import {
  accessOf,
  effectsOf,
  isPrivate,
  type Privacy,
  privacies,
  privacyOf,
} from "../model/channel-privacy";
import type { Channel } from "../model/channels";
import { mayOpenToWeb } from "../model/permissions";
import { patch } from "../net/api";
import { DialogForm, showDialog } from "../parts/dialog";
import { ExplainedChoice } from "../settings/controls";
import { channels, defaultChannels, model } from "../store/state";
import { channelWords } from "../words/channels";
import { words } from "../words/words";

const { privacy: own } = channelWords;

/** Readers of a channel. Only people who read it may change that, whatever their role is. */
export function PrivacyRow({ channel }: { channel: Channel }) {
  const { stream_id: id, name } = channel;
  const now = privacyOf(channel);
  const isReader = channel.standing === "subscribed" || !isPrivate(now);
  return (
    <div class="setting">
      <span>{own.title}</span>
      {isReader && (
        <button
          type="button"
          class="button"
          aria-label={own.change}
          aria-haspopup="dialog"
          onClick={() => openPrivacy(id, name, now)}
        >
          {own.changeShort}
        </button>
      )}
      <p class="quiet" role="status">
        {`${own.kinds[now].name}. ${own.kinds[now].help}`}
      </p>
      {!isReader && <p class="quiet">{own.onlyMembers}</p>}
    </div>
  );
}

const openPrivacy = (channelId: number, name: string, before: Privacy): void =>
  showDialog({
    title: own.of(name),
    body: () => <PrivacyForm channelId={channelId} before={before} />,
  });

interface FormProps {
  channelId: number;
  /** The privacy that the channel had when the form was opened. */
  before: Privacy;
}

function PrivacyForm({ channelId, before }: FormProps) {
  const [choice, setChoice] = useState<Privacy>();
  const channel = channels.value.get(channelId);
  if (!channel) return <p role="alert">{channelWords.gone}</p>;
  const now = privacyOf(channel);
  const chosen = choice ?? now;
  const send = async () => {
    if (chosen !== now)
      await patch("/streams/{stream_id}", { stream_id: channelId, ...accessOf(chosen) });
  };
  return (
    <DialogForm action={chosen === now ? words.actions.save : own.actions[chosen]} send={send}>
      {now !== before && <p role="alert">{`${own.changedMeanwhile(own.kinds[now].name)}.`}</p>}
      <Choices channel={channel} chosen={chosen} choose={setChoice} />
      <div class="effects" role="status">
        {effectsOf(now, chosen).map((effect) => (
          <p key={effect}>{own.effects[effect]}</p>
        ))}
        {isPrivate(chosen) && !isPrivate(now) && channel.standing !== "subscribed" && (
          <p>{own.effects.lost}</p>
        )}
      </div>
    </DialogForm>
  );
}

interface ChoicesProps {
  channel: Channel;
  chosen: Privacy;
  choose(privacy: Privacy): void;
}

function Choices({ channel, chosen, choose }: ChoicesProps) {
  const now = privacyOf(channel);
  const isForNew = defaultChannels.value.has(channel.stream_id);
  const offered = privacies.filter(
    (one) => one === now || one !== "web" || mayOpenToWeb(model.value),
  );
  return (
    <fieldset>
      <legend class="visually-hidden">{own.title}</legend>
      {offered.map((one) => (
        <ExplainedChoice
          key={one}
          group="privacy"
          name={own.kinds[one].name}
          help={own.kinds[one].help}
          isChosen={one === chosen}
          isDisabled={isForNew && isPrivate(one) && one !== now}
          choose={() => choose(one)}
        />
      ))}
      {isForNew && <p class="quiet">{own.forNew}</p>}
    </fieldset>
  );
}
