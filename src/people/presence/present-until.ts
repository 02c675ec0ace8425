/** Seconds after their last activity for which somebody counts as present. */
const presentSeconds = 140;

/**
 * Moment until which somebody who does nothing more counts as present, and so as having seen new
 * messages in a client. Push notifications and mails about missed messages both wait for it.
 */
export const presentUntil = (activeAt: number | null): number => (activeAt ?? 0) + presentSeconds;

/** Moment after which those were active who count as present now. */
export const presentSince = (now: number): number => now - presentSeconds;
