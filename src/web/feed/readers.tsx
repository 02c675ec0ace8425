import { read } from "../net/api";
import { Avatar } from "../parts/avatar";
import { showDialog } from "../parts/dialog";
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
    showDialog({ title, body: () => <Readers ids={ids} /> });
  });

function Readers({ ids }: { ids: readonly number[] }) {
  if (ids.length === 0) return <p>{changeWords.noReaders}</p>;
  const byName = [...ids].sort((one, other) => userName(one).localeCompare(userName(other)));
  return (
    <ul class="people">
      {byName.map((id) => {
        const user = users.value.get(id);
        return (
          <li key={id} class="line">
            {user && <Avatar user={user} isSmall />}
            <span class="name" dir="auto">
              {userName(id)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
