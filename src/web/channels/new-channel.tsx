import { lengthsMax } from "../../protocol/limits";
import { channelNarrow } from "../model/narrow-kind";
import { mayCreateChannel } from "../model/permissions";
import { beginForm, useBegunForm } from "../parts/begun-form";
import { DialogForm, showDialog } from "../parts/dialog";
import { fragmentOf } from "../store/names";
import { createChannel, type NewChannel } from "../store/own-channels";
import { channelFolders, model } from "../store/state";
import { channelWords } from "../words/channels";

const nothingYet: NewChannel = {
  name: "",
  description: "",
  isPrivate: false,
  folderId: undefined,
  isAnnounced: false,
};

const formName = "new channel";

/** Asks for the name of a new channel, and for whom it is. */
export function openNewChannel(name?: string): void {
  if (name !== undefined && name.trim() !== "") beginForm(formName, nothingYet, { name });
  showDialog({ title: channelWords.new, body: () => <NewChannelForm /> });
}

function NewChannelForm() {
  const mayPublic = mayCreateChannel(model.value, false);
  const { form, set, end } = useBegunForm<NewChannel>(formName, {
    ...nothingYet,
    isPrivate: !mayPublic,
  });
  const send = async () => {
    const id = await createChannel(form);
    end();
    location.hash = fragmentOf(channelNarrow(id));
  };
  return (
    <DialogForm action={channelWords.create} send={send}>
      <label class="labelled">
        {channelWords.name}
        <input
          type="text"
          class="field"
          dir="auto"
          required
          maxLength={lengthsMax.channelName}
          value={form.name}
          onInput={({ currentTarget }) => set({ name: currentTarget.value })}
        />
      </label>
      <label class="labelled">
        {channelWords.description}
        <textarea
          class="field"
          dir="auto"
          rows={3}
          maxLength={lengthsMax.channelDescription}
          value={form.description}
          onInput={({ currentTarget }) => set({ description: currentTarget.value })}
        />
      </label>
      <Kinds channel={form} set={set} />
      <FolderOf channel={form} set={set} />
    </DialogForm>
  );
}

interface PartProps {
  channel: NewChannel;
  set(changes: Partial<NewChannel>): void;
}

function Kinds({ channel, set }: PartProps) {
  const kinds = [
    { isPrivate: false, name: channelWords.kinds.public },
    { isPrivate: true, name: channelWords.kinds.private },
  ].filter(({ isPrivate }) => mayCreateChannel(model.value, isPrivate));
  return (
    <fieldset>
      <legend>{channelWords.kind}</legend>
      {kinds.map(({ isPrivate, name }) => (
        <label class="choice" key={name}>
          <input
            type="radio"
            name="kind"
            checked={channel.isPrivate === isPrivate}
            onChange={() => set({ isPrivate })}
          />
          {name}
        </label>
      ))}
      {!channel.isPrivate && (
        <label class="choice">
          <input
            type="checkbox"
            checked={channel.isAnnounced}
            onChange={({ currentTarget }) => set({ isAnnounced: currentTarget.checked })}
          />
          {channelWords.announce}
        </label>
      )}
    </fieldset>
  );
}

function FolderOf({ channel, set }: PartProps) {
  const folders = [...channelFolders.value.values()].filter(({ is_archived }) => !is_archived);
  if (folders.length === 0) return null;
  return (
    <label class="labelled">
      {channelWords.folder}
      <select
        class="field"
        onChange={({ currentTarget }) =>
          set({ folderId: currentTarget.value === "" ? undefined : Number(currentTarget.value) })
        }
      >
        <option value="">{channelWords.folderNone}</option>
        {folders.map(({ id, name }) => (
          <option key={id} value={id} selected={id === channel.folderId}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
