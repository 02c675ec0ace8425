import { lengthsMax } from "../../protocol/limits";
import type { Channel } from "../model/channels";
import { isAdministrator } from "../model/permissions";
import { patch, post, remove } from "../net/api";
import { DialogForm, showDialog } from "../parts/dialog";
import { SwitchRow } from "../settings/controls";
import { SavingNote } from "../settings/saving-note";
import { TextRow } from "../settings/text-row";
import { controlOf } from "../store/own-channels";
import { save, saveUntilTold } from "../store/saving";
import { channels, defaultChannels, model } from "../store/state";
import { channelWords } from "../words/channels";
import { PermissionRow } from "./permission-row";
import { PrivacyRow } from "./privacy";

/** Settings of a channel that hold for everybody, for people who administer it. */
export function ForEverybody({ channel }: { channel: Channel }) {
  return (
    <section aria-labelledby="channel-everybody">
      <h3 id="channel-everybody">{channelWords.everybody}</h3>
      {channel.is_archived ? (
        <Unarchive channel={channel} />
      ) : (
        <>
          <Facts channel={channel} />
          <PrivacyRow channel={channel} />
          <PermissionRow channel={channel} name="can_send_message_group" />
          <PermissionRow channel={channel} name="can_create_topic_group" />
          <ForNewPeople channel={channel} />
          <Archive channel={channel} />
        </>
      )}
      <p class="quiet">{channelWords.otherSettings}</p>
      <pre dir="ltr">
        <code>{`chatd admin channel update ${inShell(channel.name)} …`}</code>
      </pre>
    </section>
  );
}

/** A text as one word of a command. */
const inShell = (text: string): string =>
  /^[\p{L}\p{N}_-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

function Facts({ channel: { stream_id } }: { channel: Channel }) {
  const now = () => channels.value.get(stream_id);
  const change = (values: Record<string, string>) =>
    patch("/streams/{stream_id}", { stream_id, ...values });
  return (
    <>
      <TextRow
        control={controlOf(stream_id, "name")}
        label={channelWords.name}
        saved={() => now()?.name ?? ""}
        send={(text) => change({ new_name: text })}
        lengthMax={lengthsMax.channelName}
      />
      <TextRow
        control={controlOf(stream_id, "description")}
        label={channelWords.descriptionOf}
        saved={() => now()?.description ?? ""}
        send={(description) => change({ description })}
        lengthMax={lengthsMax.channelDescription}
        isLong
      />
    </>
  );
}

/** Whether new people are subscribed to the channel, which only administrators choose. */
function ForNewPeople({ channel: { stream_id, invite_only: isPrivate } }: { channel: Channel }) {
  const isOn = defaultChannels.value.has(stream_id);
  if (!isAdministrator(model.value) || (isPrivate && !isOn)) return null;
  const control = controlOf(stream_id, "for new people");
  const path = "/default_streams";
  return (
    <SwitchRow
      control={control}
      label={channelWords.forNewPeople}
      isOn={isOn}
      choose={(wanted) =>
        saveUntilTold(
          control,
          () => (wanted ? post(path, { stream_id }) : remove(path, { stream_id })),
          () => defaultChannels.value.has(stream_id) === wanted,
        )
      }
    />
  );
}

const Archive = ({ channel: { stream_id, name } }: { channel: Channel }) => (
  <div class="choices">
    <button type="button" class="button dangerous" onClick={() => openArchiving(stream_id, name)}>
      {channelWords.archive}
    </button>
  </div>
);

const openArchiving = (channelId: number, name: string): void =>
  showDialog({
    title: channelWords.archiveNamed(name),
    body: () => (
      <DialogForm
        action={channelWords.archive}
        isDangerous
        send={() => remove("/streams/{stream_id}", { stream_id: channelId })}
      >
        <p>{channelWords.archiveHelp}</p>
      </DialogForm>
    ),
  });

function Unarchive({ channel: { stream_id } }: { channel: Channel }) {
  const control = controlOf(stream_id, "archived");
  const unarchive = () =>
    save(control, () => patch("/streams/{stream_id}", { stream_id, is_archived: false }));
  return (
    <div class="choices">
      <button type="button" class="button" onClick={() => void unarchive()}>
        {channelWords.unarchive}
      </button>
      <SavingNote control={control} />
    </div>
  );
}
