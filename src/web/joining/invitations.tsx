import { useEffect, useRef } from "preact/hooks";
import { isGuest, mayInviteByMail, mayMakeInviteLinks, sendsMail } from "../model/permissions";
import { copyText } from "../parts/copying";
import { TryAgain } from "../parts/try-again";
import {
  type Invitation,
  loadInvitations,
  openInvitations,
  sendInvitationAgain,
  withdrawInvitation,
} from "../store/invitations";
import { moments } from "../store/moments";
import { attempt, notify } from "../store/notices";
import { queueId } from "../store/queue";
import { me, model, users } from "../store/state";
import { invitationWords, roleName } from "../words/invitations";
import { words } from "../words/words";
import { openInviteByMail, openInviteLink } from "./invite-dialog";

/** The open invitations, and buttons to create more. */
export function Invitations() {
  const pane = useRef<HTMLElement>(null);
  const queue = queueId.value;
  useEffect(() => {
    // Guests have no invitations, and the server would refuse the request.
    if (!isGuest(model.peek())) void loadInvitations();
  }, [queue]);
  const mayMail = mayInviteByMail(model.value);
  const mayLink = mayMakeInviteLinks(model.value);
  const isMailOn = sendsMail(model.value);
  return (
    <section ref={pane} tabIndex={-1} class="pane browse" aria-label={words.views.invitations}>
      {!mayMail && !mayLink && (
        <Nothing name={invitationWords.notAllowed} help={invitationWords.notAllowedHelp} />
      )}
      <div class="choices">
        {mayMail && (
          <button type="button" class="button primary" onClick={openInviteByMail}>
            {invitationWords.byMail}
          </button>
        )}
        {mayLink && (
          <button type="button" class="button" onClick={openInviteLink}>
            {invitationWords.makeLink}
          </button>
        )}
      </div>
      {!isMailOn && mayLink && <p class="quiet">{invitationWords.noMail}</p>}
      <Open help={helpFor(mayMail, mayLink)} focusPane={() => pane.current?.focus()} />
    </section>
  );
}

/** The text below an empty list, which names the ways to invite people that the person has. */
function helpFor(mayMail: boolean, mayLink: boolean): string {
  if (mayMail) return mayLink ? invitationWords.noneHelp : invitationWords.noneHelpMail;
  return "";
}

const Nothing = ({ name, help }: { name: string; help: string }) => (
  <div class="nothing">
    <b>{name}</b>
    {help && <p>{help}</p>}
  </div>
);

interface OpenProps {
  /** The text if no invitation is open. */
  help: string;
  focusPane(): void;
}

function Open({ help, focusPane }: OpenProps) {
  const open = openInvitations.value;
  if (!open) return null;
  if ("refusal" in open)
    return (
      <p class="refusal" role="alert" dir="auto">
        {words.notLoaded(open.refusal)} <TryAgain again={() => void loadInvitations()} />
      </p>
    );
  if (open.length === 0) return <Nothing name={invitationWords.none} help={help} />;
  const newestFirst = open.toSorted((one, other) => other.invited - one.invited);
  return (
    <>
      <p class="quiet">{invitationWords.help}</p>
      <ul class="rows-of-settings invited">
        {newestFirst.map((invitation) => (
          <InvitationLine
            key={`${invitation.is_multiuse}${invitation.id}`}
            invitation={invitation}
            focusPane={focusPane}
          />
        ))}
      </ul>
    </>
  );
}

/** The facts about an invitation, for the line below its address or its title. */
function factsOf({ invited_as: role, invited_by_user_id: inviterId, expiry_date }: Invitation) {
  const inviter = users.value.get(inviterId);
  return [
    invitationWords.asRole(roleName(role)),
    inviterId !== me.value && inviter && invitationWords.by(inviter.full_name),
    expiry_date === null
      ? invitationWords.ever
      : invitationWords.until(moments.value.near(new Date(expiry_date * 1_000))),
  ]
    .filter(Boolean)
    .join(" · ");
}

interface InvitationLineProps extends Pick<OpenProps, "focusPane"> {
  invitation: Invitation;
}

function InvitationLine({ invitation, focusPane }: InvitationLineProps) {
  const facts = factsOf(invitation);
  const name = invitation.is_multiuse ? invitationWords.link : invitation.email;
  const about = `${name}, ${facts}`;
  const withdraw = async () => {
    if (!(await attempt(() => withdrawInvitation(invitation)))) return;
    notify(invitationWords.withdrawn);
    await loadInvitations();
    focusPane();
  };
  return (
    <li>
      <span class="name">
        <bdi>{name}</bdi> <small dir="auto">{facts}</small>
      </span>
      {invitation.is_multiuse && (
        <button
          type="button"
          class="chip"
          aria-label={invitationWords.copyLinkOf(facts)}
          onClick={() => void copy(invitation.link_url)}
        >
          {invitationWords.copyLink}
        </button>
      )}
      {!invitation.is_multiuse && sendsMail(model.value) && (
        // Without mail nobody would receive the new link, and the old link would end.
        <button
          type="button"
          class="chip"
          aria-label={invitationWords.sendAgainTo(about)}
          onClick={() => void sendAgain(invitation)}
        >
          {invitationWords.sendAgain}
        </button>
      )}
      <button
        type="button"
        class="chip"
        aria-label={invitationWords.withdrawOf(about)}
        onClick={() => void withdraw()}
      >
        {invitationWords.withdraw}
      </button>
    </li>
  );
}

/** Copies a link, and tells whether the browser allowed it. */
async function copy(link: string): Promise<void> {
  notify((await copyText(link)) ? words.copied : words.actions.notCopied);
}

async function sendAgain(invitation: Invitation): Promise<void> {
  if (await attempt(() => sendInvitationAgain(invitation))) notify(invitationWords.sentAgain);
}
