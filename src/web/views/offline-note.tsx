import { place } from "../store/place";
import { isKeptPage } from "../store/snapshot";
import { isConnected } from "../store/state";
import { words } from "../words/words";

/** Tells that the page shows saved data, until the server is reached. */
export const OfflineNote = () =>
  isKeptPage && !isConnected.value && !place.value.isLost ? (
    <p class="lost" role="status">
      {words.offline}
    </p>
  ) : null;
