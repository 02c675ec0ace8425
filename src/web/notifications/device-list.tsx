import { useEffect, useRef, useState } from "preact/hooks";
import { TryAgain } from "../parts/try-again";
import { moments } from "../store/moments";
import { attempt, notify, reasonOf } from "../store/notices";
import { notificationWords as words } from "../words/notifications";
import { words as common } from "../words/words";
import { type Device, phoneChanges, readPhones, readSubscribed } from "./devices";
import { isPushOn } from "./push";

/** All devices to which the server pushes for the person, each with a button that ends it. */
export function DeviceList() {
  const heading = useRef<HTMLHeadingElement>(null);
  const { devices, refusal, load } = useDevices();
  const end = async (device: Device) => {
    if (await attempt(device.end)) notify(words.deviceEnded);
    // A device that was ended elsewhere is removed too.
    await load();
    heading.current?.focus();
  };
  return (
    <section class="part" aria-labelledby="push-devices">
      <h3 id="push-devices" ref={heading} tabIndex={-1}>
        {words.devices}
      </h3>
      {refusal !== undefined && (
        <p class="refusal" role="alert" dir="auto">
          {common.notLoaded(refusal)} <TryAgain again={() => void load()} />
        </p>
      )}
      {devices?.length === 0 && refusal === undefined && <p class="quiet">{words.noDevices}</p>}
      <ul
        class="rows-of-settings"
        aria-label={words.devices}
        aria-busy={!devices && refusal === undefined}
      >
        {labelled(devices ?? []).map(({ device, name, when }) => (
          <DeviceLine
            key={device.key}
            device={device}
            name={name}
            when={when}
            end={() => void end(device)}
          />
        ))}
      </ul>
    </section>
  );
}

/**
 * The devices on the server, browsers first, and a function that loads them again. A late answer
 * does not replace a newer one. If one of the two lists is refused, the other is shown.
 */
function useDevices() {
  const [subscribed, setSubscribed] = useState<readonly Device[]>();
  const [phones, setPhones] = useState<readonly Device[]>();
  const [refusal, setRefusal] = useState<string>();
  const newest = useRef(0);
  const isOn = isPushOn.value;
  const changes = phoneChanges.value;
  const load = async () => {
    newest.current += 1;
    const own = newest.current;
    const answers = await Promise.all([answerOf(readSubscribed()), answerOf(readPhones())]);
    if (own !== newest.current) return;
    const [subscribedAnswer, phonesAnswer] = answers;
    if ("devices" in subscribedAnswer) setSubscribed(subscribedAnswer.devices);
    if ("devices" in phonesAnswer) setPhones(phonesAnswer.devices);
    setRefusal(answers.flatMap((answer) => ("refusal" in answer ? [answer.refusal] : []))[0]);
  };
  // The list changes when pushes to this browser or to a phone begin or end.
  useEffect(() => void load(), [isOn, changes]);
  const devices = subscribed || phones ? [...(subscribed ?? []), ...(phones ?? [])] : undefined;
  return { devices, refusal, load };
}

type ListAnswer = { readonly devices: readonly Device[] } | { readonly refusal: string };

const answerOf = (list: Promise<readonly Device[]>): Promise<ListAnswer> =>
  list.then(
    (devices) => ({ devices }),
    (error: unknown) => ({ refusal: reasonOf(error) }),
  );

interface LabelledDevice {
  readonly device: Device;
  readonly name: string;
  /** When the pushes began; empty if the server does not tell. */
  readonly when: string;
}

/** Devices with their names. Devices with equal names and minutes are numbered. */
function labelled(devices: readonly Device[]): readonly LabelledDevice[] {
  const alike = Map.groupBy(devices, (device) => `${nameOf(device)} ${whenOf(device)}`);
  return devices.map((device) => {
    const [name, when] = [nameOf(device), whenOf(device)];
    const group = alike.get(`${name} ${when}`) ?? [];
    const number = group.indexOf(device) + 1;
    return { device, when, name: group.length > 1 ? words.deviceNumbered(name, number) : name };
  });
}

const nameOf = ({ kind, host }: Device): string =>
  host === "" ? words.deviceKinds[kind] : words.deviceAt(words.deviceKinds[kind], host);

const whenOf = ({ since }: Device): string =>
  since === undefined ? "" : moments.value.near(new Date(since * 1_000));

function DeviceLine({ device, name, when, end }: LabelledDevice & { end: () => void }) {
  const { isThisBrowser, hasFailed } = device;
  return (
    <li>
      <span class="name" dir="auto">
        {name}
      </span>
      <small>{isThisBrowser ? words.thisBrowser : hasFailed ? words.deviceFailed : when}</small>
      <button
        type="button"
        class="button"
        aria-label={words.endDeviceNamed(name, when)}
        onClick={end}
      >
        {words.endDevice}
      </button>
    </li>
  );
}
