import { useEffect, useState } from "preact/hooks";
import {
  bytesOfFiles,
  type FileOrder,
  fileOrders,
  filesNamed,
  type OwnFile,
  sizeText,
} from "../model/files";
import type { FlaggedMessage } from "../model/message";
import { conversationNarrow, kindOf } from "../model/narrow-kind";
import { DialogForm, showDialog } from "../parts/dialog";
import { TryAgain } from "../parts/try-again";
import { openFiles, ownFiles, removeFile } from "../store/files";
import { linkToMessage } from "../store/links";
import { moments } from "../store/moments";
import { recipientName } from "../store/names";
import { notify } from "../store/notices";
import { singleMessage, wantMessages } from "../store/single-messages";
import { me, organization } from "../store/state";
import { fileWords } from "../words/files";
import { language, words } from "../words/words";
import { KeptAction, KeptList } from "./kept-list";

/**
 * The files that the person has uploaded, with the messages that link to them and the actions for
 * each.
 */
export function Files() {
  const [filter, setFilter] = useState("");
  const [order, setOrder] = useState<FileOrder>("newest");
  useEffect(() => void openFiles(), []);
  const own = ownFiles.value;
  if (!own) return <section class="pane" aria-label={words.views.ownFiles} aria-busy="true" />;
  if ("refusal" in own)
    return (
      <section class="pane" aria-label={words.views.ownFiles}>
        <p role="alert">
          {words.notLoaded(own.refusal)} <TryAgain again={() => void openFiles()} />
        </p>
      </section>
    );
  const { upload_quota_mib: quotaMib } = organization.value;
  const allowed = quotaMib === null ? undefined : sizeText(quotaMib * bytesPerMib, language);
  return (
    <KeptList
      label={words.views.ownFiles}
      rows={filesNamed(own, filter, order)}
      none={fileWords}
      draw={(file) => <FileLine key={file.id} file={file} />}
    >
      <p class="quiet" role="status">
        {fileWords.space(
          sizeText(bytesOfFiles(own), language),
          sizeText(own.usedBytes, language),
          allowed,
        )}
      </p>
      <div class="choices">
        <OrderChoice order={order} choose={setOrder} />
        <input
          type="search"
          class="field"
          dir="auto"
          aria-label={fileWords.filter}
          placeholder={fileWords.filter}
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
      </div>
    </KeptList>
  );
}

interface OrderChoiceProps {
  order: FileOrder;
  choose(order: FileOrder): void;
}

const OrderChoice = ({ order, choose }: OrderChoiceProps) => (
  <select
    class="chip"
    aria-label={fileWords.order}
    value={order}
    onChange={({ currentTarget: { value } }) =>
      choose(fileOrders.find((one) => one === value) ?? order)
    }
  >
    {fileOrders.map((one) => (
      <option key={one} value={one}>
        {fileWords.orders[one]}
      </option>
    ))}
  </select>
);

const bytesPerMib = 1_048_576;

/** The number of messages that are shown for a file, because a file can be linked in many. */
const usesMax = 3;

function FileLine({ file }: { file: OwnFile }) {
  const { name, size, create_time: seconds, path_id: path, message_ids: uses } = file;
  const at = new Date(seconds * 1_000);
  const named = uses.slice(-usesMax).reverse();
  useEffect(() => wantMessages(named), [named.join(" ")]);
  return (
    <li>
      <div class="to">
        <a class="name" dir="auto" href={`/user_uploads/${path}`} target="_blank" rel="noopener">
          {name}
        </a>
        <span>{sizeText(size, language)}</span>
        <time dateTime={at.toISOString()}>{moments.value.whole(at)}</time>
      </div>
      <div class="choices">
        {uses.length === 0 && <small>{fileWords.unused}</small>}
        {named.map((id) => (
          <Use key={id} message={singleMessage(id)} />
        ))}
        {uses.length > usesMax && <small>{fileWords.andMore(uses.length - usesMax)}</small>}
        <KeptAction
          name={fileWords.delete}
          label={fileWords.deleteNamed(name)}
          run={() => askToDelete(file)}
        />
      </div>
    </li>
  );
}

/** A message that links to a file, as a link to the message. */
function Use({ message }: { message: FlaggedMessage | "gone" | undefined }) {
  if (message === undefined || message === "gone") return null;
  return (
    <a class="chip" dir="auto" href={linkToMessage(message)}>
      {fileWords.usedIn(placeOf(message))}
    </a>
  );
}

/** The name of a message's conversation. */
function placeOf(message: FlaggedMessage): string {
  const kind = kindOf(conversationNarrow(message, me.value));
  return kind.kind === "topic" || kind.kind === "direct" ? recipientName(kind) : "";
}

const askToDelete = (file: OwnFile): void =>
  showDialog({
    title: fileWords.deleteTitle(file.name),
    body: () => (
      <DialogForm
        action={fileWords.delete}
        isDangerous
        send={async () => {
          await removeFile(file);
          notify(fileWords.deleted);
        }}
      >
        <p>{fileWords.deleteWarning(file.message_ids.length)}</p>
      </DialogForm>
    ),
  });
