import { Choice, Flag } from "./controls";

/** Settings for what others see of the person. */
export const Privacy = () => (
  <>
    <Choice name="email_address_visibility" />
    <Flag name="presence_enabled" />
    <Flag name="send_read_receipts" />
    <Flag name="send_private_typing_notifications" />
    <Flag name="send_stream_typing_notifications" />
  </>
);
