import { useEffect, useRef, useState } from "preact/hooks";
import { moments } from "../store/moments";
import { attempt, notify, reasonOf } from "../store/notices";
import { notificationWords as words } from "../words/notifications";
import { words as common } from "../words/words";
import { type Device, readDevices } from "./devices";
import { isPushOn } from "./push";

/** All that the server pushes to for the person, each with a way to end it. */
export function DeviceList() {
  const heading = useRef<HTMLHeadingElement>(null);
  const { devices, refusal, load } = useDevices();
  const end = async (device: Device) => {
    if (await attempt(device.end)) notify(words.deviceEnded);
    // One that was ended elsewhere is gone too.
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
          {common.notLoaded(refusal)}{" "}
          <button type="button" class="chip" onClick={() => void load()}>
            {common.tryAgain}
          </button>
        </p>
      )}
      {devices?.length === 0 && <p class="quiet">{words.noDevices}</p>}
      <ul
        class="rows-of-settings"
        aria-label={words.devices}
        aria-busy={!devices && refusal === undefined}
      >
        {devices?.map((device) => (
          <DeviceLine key={device.key} device={device} end={() => void end(device)} />
        ))}
      </ul>
    </section>
  );
}

/** Devices as the server has them, with a way to ask anew; a late answer does not replace a newer. */
function useDevices() {
  const [devices, setDevices] = useState<readonly Device[]>();
  const [refusal, setRefusal] = useState<string>();
  const newest = useRef(0);
  const isOn = isPushOn.value;
  const load = async () => {
    newest.current += 1;
    const own = newest.current;
    try {
      const answer = await readDevices();
      if (own !== newest.current) return;
      setDevices(answer);
      setRefusal(undefined);
    } catch (error) {
      if (own === newest.current) setRefusal(reasonOf(error));
    }
  };
  // Pushes to this browser that begin or end change the list.
  useEffect(() => void load(), [isOn]);
  return { devices, refusal, load };
}

function DeviceLine({ device, end }: { device: Device; end: () => void }) {
  const { kind, host, since, isThisBrowser, hasFailed } = device;
  const name =
    host === "" ? words.deviceKinds[kind] : words.deviceAt(words.deviceKinds[kind], host);
  const when = since === undefined ? "" : moments.value.near(new Date(since * 1_000));
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
