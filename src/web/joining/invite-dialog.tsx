import { roles } from "../../protocol/roles";
import { mayAddSubscribers, rolesToInvite } from "../model/permissions";
import { refusedHere } from "../net/refusal";
import { useBegunForm } from "../parts/begun-form";
import { copyText } from "../parts/copying";
import { DialogForm, showDialog } from "../parts/dialog";
import { LinkField } from "../parts/link-field";
import { inviteByMail, loadInvitations, makeInviteLink, type Offer } from "../store/invitations";
import { notify } from "../store/notices";
import { channels, model } from "../store/state";
import { invitationWords, roleName } from "../words/invitations";
import { words } from "../words/words";

type Form = Offer & { readonly addresses: string };

const dayMinutes = 24 * 60;
const daysOffered = [1, 3, 10, 30];

const nothingYet: Form = {
  addresses: "",
  role: roles.member,
  minutes: 10 * dayMinutes,
  channelIds: [],
  withDefaults: true,
};

/** Asks for the addresses of the people to invite, and for their role and channels. */
export const openInviteByMail = (): void =>
  showDialog({ title: invitationWords.byMail, body: () => <MailForm /> });

/** Asks for the role and channels of people who join by a new link, and shows the link. */
export const openInviteLink = (): void =>
  showDialog({ title: invitationWords.makeLink, body: () => <LinkForm /> });

function MailForm() {
  const { form, set, end } = useBegunForm<Form>("invitation by mail", nothingYet);
  const send = async () => {
    const leftOut = await inviteByMail(form.addresses, form);
    end();
    notify(leftOut.length > 0 ? invitationWords.leftOut(leftOut) : invitationWords.sent);
    await loadInvitations();
  };
  return (
    <DialogForm action={invitationWords.send} send={send}>
      <label class="labelled">
        {invitationWords.addresses}
        <textarea
          class="field"
          dir="auto"
          rows={3}
          required
          inputMode="email"
          autocapitalize="off"
          spellcheck={false}
          value={form.addresses}
          onInput={({ currentTarget }) => set({ addresses: currentTarget.value })}
        />
        <small>{invitationWords.addressesHelp}</small>
      </label>
      <OfferFields offer={form} set={set} />
    </DialogForm>
  );
}

function LinkForm() {
  const { form, set, end } = useBegunForm<Form>("invitation link", nothingYet);
  const send = async () => {
    const link = await makeInviteLink(form);
    end();
    await loadInvitations();
    showDialog({ title: invitationWords.link, body: () => <MadeLink link={link} /> });
  };
  return (
    <DialogForm action={invitationWords.make} send={send}>
      <OfferFields offer={form} set={set} />
    </DialogForm>
  );
}

function MadeLink({ link }: { link: string }) {
  const copy = async () => {
    if (!(await copyText(link))) throw refusedHere(words.actions.notCopied);
    notify(words.copied);
  };
  return (
    // The link is created and valid, so there is nothing to cancel.
    <DialogForm action={invitationWords.copy} leave={words.actions.close} send={copy}>
      <p>{invitationWords.linkHelp}</p>
      <LinkField link={link} label={invitationWords.link} />
    </DialogForm>
  );
}

interface OfferFieldsProps {
  offer: Offer;
  set(changes: Partial<Offer>): void;
}

/** The role, the expiry and the channels of an invitation. */
function OfferFields({ offer, set }: OfferFieldsProps) {
  // A guest only sees channels to which they are subscribed, so each of these is chosen by hand.
  const chooseRole = (role: number) => set({ role, withDefaults: role !== roles.guest });
  return (
    <>
      <label class="labelled">
        {invitationWords.role}
        <select
          class="field"
          onChange={({ currentTarget }) => chooseRole(Number(currentTarget.value))}
        >
          {rolesToInvite(model.value).map((role) => (
            <option key={role} value={role} selected={role === offer.role}>
              {roleName(role)}
            </option>
          ))}
        </select>
      </label>
      <label class="labelled">
        {invitationWords.for}
        <select
          class="field"
          onChange={({ currentTarget: { value } }) =>
            set({ minutes: value === "" ? null : Number(value) })
          }
        >
          {daysOffered.map((days) => (
            <option
              key={days}
              value={days * dayMinutes}
              selected={days * dayMinutes === offer.minutes}
            >
              {invitationWords.forDays(days)}
            </option>
          ))}
          <option value="" selected={offer.minutes === null}>
            {invitationWords.ever}
          </option>
        </select>
      </label>
      <ChannelsOf offer={offer} set={set} />
    </>
  );
}

/** The channels to which invited people are subscribed. */
function ChannelsOf({ offer: { channelIds, withDefaults }, set }: OfferFieldsProps) {
  const names = new Map(
    [...channels.value.values()]
      .filter((one) => !one.is_archived && mayAddSubscribers(model.value, one))
      .map(({ stream_id, name }) => [stream_id, name]),
  );
  const others = [...names].filter(([id]) => !channelIds.includes(id));
  return (
    <fieldset>
      <legend>{invitationWords.channels}</legend>
      <label class="choice">
        <input
          type="checkbox"
          checked={withDefaults}
          onChange={({ currentTarget }) => set({ withDefaults: currentTarget.checked })}
        />
        {invitationWords.defaults}
      </label>
      <div class="choices">
        {channelIds.map((id) => {
          const name = names.get(id) ?? `#${id}`;
          return (
            <button
              key={id}
              type="button"
              class="chip on"
              aria-label={invitationWords.removeChannel(name)}
              onClick={() => set({ channelIds: channelIds.filter((one) => one !== id) })}
            >
              <bdi>{name}</bdi> ×
            </button>
          );
        })}
      </div>
      {others.length > 0 && (
        <select
          class="field"
          aria-label={invitationWords.addChannel}
          onChange={({ currentTarget }) => {
            set({ channelIds: [...channelIds, Number(currentTarget.value)] });
            currentTarget.value = "";
          }}
        >
          <option value="">{invitationWords.addChannel}</option>
          {others
            .toSorted(([, one], [, other]) => one.localeCompare(other))
            .map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </select>
      )}
    </fieldset>
  );
}
