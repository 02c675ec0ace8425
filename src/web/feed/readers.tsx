import { read } from "../net/api";
import { Avatar } from "../parts/avatar";
import { showDialog } from "../parts/dialog";
import { Windowed } from "../parts/windowed";
import { userName } from "../store/names";
import { attempt } from "../store/notices";
import { users } from "../store/state";
import { changeWords } from "../words/changes";

/** Shows who has read a message. */
export const openReaders = (messageId: number): Promise<boolean> =>
  attempt(async () => {
    const { user_ids: ids } = await read("/messages/{message_id}/read_receipts", {
      message_id: messageId,
    });
    const title = changeWords.readers(ids.length);
    showDialog({ title, body: () => <Readers ids={ids} title={title} /> });
  });

function Readers({ ids, title }: { ids: readonly number[]; title: string }) {
  if (ids.length === 0) return <p>{changeWords.noReaders}</p>;
  const byName = ids
    .map((id) => ({ id, name: userName(id), user: users.value.get(id) }))
    .sort((one, other) => one.name.localeCompare(other.name));
  return (
    <Windowed
      label={title}
      rows={byName}
      draw={({ id, name, user }, rowPlace) => (
        <li key={id} class="line" {...rowPlace}>
          {user && <Avatar user={user} isSmall />}
          <span class="name" dir="auto">
            {name}
          </span>
        </li>
      )}
    />
  );
}
