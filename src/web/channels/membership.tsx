import type { Channel } from "../model/channels";
import { mayJoin } from "../model/permissions";
import { DialogForm, showDialog } from "../parts/dialog";
import { attempt, notify } from "../store/notices";
import { joinChannel, leaveChannel } from "../store/own-channels";
import { model } from "../store/state";
import { channelWords } from "../words/channels";

/** The button that joins a channel, or leaves it; none where the person may do neither. */
export function Membership({ channel }: { channel: Channel }) {
  if (channel.is_archived) return null;
  if (channel.standing === "subscribed")
    return (
      <button
        type="button"
        class="chip on"
        aria-label={channelWords.leaveNamed(channel.name)}
        onClick={() => leave(channel)}
      >
        {channelWords.leave}
      </button>
    );
  if (!mayJoin(model.value, channel)) return null;
  return (
    <button
      type="button"
      class="chip"
      aria-label={channelWords.joinNamed(channel.name)}
      onClick={() => void attempt(() => joinChannel(channel))}
    >
      {channelWords.join}
    </button>
  );
}

/** Leaves a channel, which can be undone; of a private one the person is asked first. */
function leave(channel: Channel): void {
  if (!channel.invite_only) {
    void leaveWithUndo(channel);
    return;
  }
  showDialog({
    title: channelWords.leaveNamed(channel.name),
    body: () => (
      <DialogForm action={channelWords.leave} isDangerous send={() => leaveChannel(channel)}>
        <p>{channelWords.leavePrivate}</p>
      </DialogForm>
    ),
  });
}

async function leaveWithUndo(channel: Channel): Promise<void> {
  if (!(await attempt(() => leaveChannel(channel)))) return;
  notify(channelWords.left(channel.name), () => void attempt(() => joinChannel(channel)));
}
