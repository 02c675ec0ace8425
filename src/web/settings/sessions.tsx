import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { endSession, readSessions, type Session } from "../net/sessions";
import { TryAgain } from "../parts/try-again";
import { moments } from "../store/moments";
import { attempt, notify, reasonOf } from "../store/notices";
import { settingsWords } from "../words/settings";
import { words } from "../words/words";

const { account } = settingsWords;

/** The browsers in which the person is signed in, each with a button that signs it out. */
export function SessionList() {
  const heading = useRef<HTMLParagraphElement>(null);
  const { sessions, refusal, load } = useSessions();
  const end = async (id: number | undefined, notice: string) => {
    if (await attempt(() => endSession(id))) notify(notice);
    // A session that was ended elsewhere is removed too.
    await load();
    heading.current?.focus();
  };
  const others = sessions?.filter(({ is_current: isCurrent }) => !isCurrent) ?? [];
  if (refusal !== undefined)
    return (
      <p class="refusal" role="alert" dir="auto">
        {words.notLoaded(refusal)} <TryAgain again={() => void load()} />
      </p>
    );
  return (
    <>
      <p ref={heading} class="quiet" tabIndex={-1}>
        {account.sessionsHelp}
      </p>
      <ul class="rows-of-settings" aria-label={account.sessions} aria-busy={!sessions}>
        {sessions?.map((session) => (
          <SessionLine
            key={session.id}
            session={session}
            end={() => void end(session.id, account.sessionEnded)}
          />
        ))}
      </ul>
      {others.length > 0 && (
        <button
          type="button"
          class="button"
          onClick={() => void end(undefined, account.othersEnded)}
        >
          {account.endOthers}
        </button>
      )}
    </>
  );
}

/**
 * The sessions on the server, and a function that loads them again. A late answer does not replace
 * a newer one.
 */
function useSessions() {
  const [sessions, setSessions] = useState<readonly Session[]>();
  const [refusal, setRefusal] = useState<string>();
  const newest = useRef(0);
  const load = useCallback(async () => {
    newest.current += 1;
    const own = newest.current;
    try {
      const answer = await readSessions();
      if (own !== newest.current) return;
      setSessions(answer);
      setRefusal(undefined);
    } catch (error) {
      if (own === newest.current) setRefusal(reasonOf(error));
    }
  }, []);
  useEffect(() => {
    void load();
  }, [load]);
  return { sessions, refusal, load };
}

function SessionLine({ session, end }: { session: Session; end: () => void }) {
  const { browser, is_current: isCurrent, last_seen_at: lastSeenAt } = session;
  const seen = moments.value.near(new Date(lastSeenAt * 1_000));
  return (
    <li>
      <span class="name" dir="auto">
        {browser}
      </span>
      <small>{isCurrent ? account.thisBrowser : account.lastSeen(seen)}</small>
      {!isCurrent && (
        <button
          type="button"
          class="button"
          aria-label={account.endSessionOf(browser, seen)}
          onClick={end}
        >
          {account.endSession}
        </button>
      )}
    </li>
  );
}
