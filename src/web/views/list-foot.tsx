import { UnsentElsewhere } from "../feed/outgoing";
import { isConnected } from "../store/state";
import { words } from "../words/words";

/**
 * The notices below a list, which views of messages show above their box: messages that could not
 * be sent, and that the server cannot be reached.
 */
export const ListFoot = () => (
  <div class="list-foot">
    <UnsentElsewhere narrow={undefined} />
    <p class={isConnected.value ? "" : "status"} role="status">
      {!isConnected.value && words.disconnected}
    </p>
  </div>
);
