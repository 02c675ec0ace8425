import type { UserSettings } from "../model/wire";
import { isInDesktopApp } from "./bridge";

/** A tone of a sound: its pitch in hertz, its start and its length in seconds. */
type Tone = readonly [pitch: number, begins: number, lasts: number];

/** The sounds that a person can choose, as tones, so that no file has to be loaded. */
const sounds: Readonly<Record<UserSettings["notification_sound"], readonly Tone[]>> = {
  none: [],
  chime: [
    [880, 0, 0.5],
    [1_318, 0.14, 0.7],
  ],
  ding: [[1_568, 0, 0.6]],
  zulip: [
    [587, 0, 0.2],
    [880, 0.11, 0.4],
  ],
};

const loudness = 0.2;
const silence = 0.0001;
let context: AudioContext | undefined;
/** Number of tones that are not over yet. */
let tonesLeft = 0;

/**
 * Whether the page may play sounds. Browsers forbid it until the person has clicked or typed in the
 * page, also after the page has reloaded itself. The desktop app allows it at once.
 */
export const canSound = (): boolean =>
  "AudioContext" in globalThis &&
  (isInDesktopApp || navigator.userActivation?.hasBeenActive === true);

/** Plays a sound if the page may. Otherwise all sounds would be played together later. */
export async function playSound(name: UserSettings["notification_sound"]): Promise<void> {
  const tones = sounds[name];
  if (tones.length === 0 || !canSound()) return;
  context ??= new AudioContext();
  tonesLeft += tones.length;
  await context.resume();
  for (const tone of tones) playTone(context, tone);
}

function playTone(on: AudioContext, [pitch, begins, lasts]: Tone): void {
  const [oscillator, gain] = [on.createOscillator(), on.createGain()];
  const start = on.currentTime + begins;
  oscillator.frequency.value = pitch;
  gain.gain.setValueAtTime(loudness, start);
  gain.gain.exponentialRampToValueAtTime(silence, start + lasts);
  oscillator.connect(gain).connect(on.destination);
  oscillator.start(start);
  oscillator.stop(start + lasts);
  oscillator.onended = () => {
    tonesLeft -= 1;
    // The device would be kept open, and its battery used, by playing silence.
    if (tonesLeft === 0) void on.suspend();
  };
}
