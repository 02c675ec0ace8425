import type { FlaggedMessage } from "../model/message";
import { post } from "../net/api";
import { useBegunForm } from "../parts/begun-form";
import { DialogForm, showDialog } from "../parts/dialog";
import { senderOf } from "../store/names";
import { notify } from "../store/notices";
import { server } from "../store/state";
import { reportWords } from "../words/report";

/** Asks what is wrong with a message, and reports it to the moderators. */
export const openReport = (message: FlaggedMessage): void =>
  showDialog({ title: reportWords.title, body: () => <ReportForm message={message} /> });

/** The reason for which the server requires a description. */
const otherReason = "other";

function ReportForm({ message }: { message: FlaggedMessage }) {
  const nothing = { reason: "", description: "" };
  const { form, set, end } = useBegunForm(`report ${message.id}`, nothing);
  const { reason, description } = form;
  const send = async () => {
    await post("/messages/{message_id}/report", {
      message_id: message.id,
      report_type: reason,
      ...(description.trim() === "" ? {} : { description }),
    });
    end();
    notify(reportWords.sent);
  };
  return (
    <DialogForm action={reportWords.send} send={send}>
      <p dir="auto">{reportWords.help(senderOf(message).full_name)}</p>
      <fieldset>
        <legend>{reportWords.reason}</legend>
        {server.value.server_report_message_types.map(({ key, name }) => (
          <label class="choice" key={key}>
            <input
              type="radio"
              name="reason"
              required
              checked={reason === key}
              onChange={() => set({ reason: key })}
            />
            {name}
          </label>
        ))}
      </fieldset>
      <label class="labelled">
        {reason === otherReason ? reportWords.description : reportWords.descriptionIfWanted}
        <textarea
          class="field"
          dir="auto"
          rows={3}
          required={reason === otherReason}
          value={description}
          onInput={({ currentTarget }) => set({ description: currentTarget.value })}
        />
      </label>
    </DialogForm>
  );
}
