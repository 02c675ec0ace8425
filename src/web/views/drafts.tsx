import { joined, type LocalDraft } from "../model/local-drafts";
import { Icon } from "../parts/icon";
import { TargetName } from "../parts/target-name";
import { openDraft } from "../store/box";
import { draftOf, dropDraft, localDrafts, writeDraft } from "../store/drafts";
import { moments } from "../store/moments";
import { notify } from "../store/notices";
import { cancelUploadsOf } from "../store/uploads";
import { composeWords } from "../words/compose";

/** Unsent texts, with the actions for each. */
export function DraftsView() {
  const drafts = localDrafts();
  return (
    <section class="pane drafts" aria-label={composeWords.drafts.title}>
      {drafts.length === 0 && (
        <div class="nothing">
          <b>{composeWords.drafts.none}</b>
          <p>{composeWords.drafts.noneHelp}</p>
        </div>
      )}
      <ul>
        {drafts.map((draft) => (
          <DraftLine key={draft.key} draft={draft} />
        ))}
      </ul>
    </section>
  );
}

function DraftLine({ draft }: { draft: LocalDraft }) {
  const { content, changedAt } = draft;
  const date = new Date(changedAt);
  const label = composeWords.drafts.remove;
  return (
    <li class="draft">
      <div class="to">
        <TargetName target={draft.target} />
        <time dateTime={date.toISOString()}>{moments.value.whole(date)}</time>
      </div>
      <button type="button" class="text" dir="auto" onClick={() => openDraft(draft)}>
        {content}
      </button>
      <button
        type="button"
        class="tool"
        title={label}
        aria-label={label}
        onClick={() => deleteDraft(draft)}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}

/** Deletes a draft. This can be undone. */
export function deleteDraft({ key }: LocalDraft): void {
  const draft = dropDraft(key);
  if (!draft) return;
  cancelUploadsOf(key);
  notify(composeWords.drafts.removed, () => {
    // Another text may have been begun there meanwhile.
    const { target, content } = draftOf(key) ?? { ...draft, content: "" };
    writeDraft(key, target, joined(content, draft.content));
  });
}
