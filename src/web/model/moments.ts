/** Moments as text, in a language and with a 12-hour or 24-hour clock. */
interface MomentForms {
  /** Only the time of day. */
  hour(moment: Date): string;
  /** The date and the time. */
  whole(moment: Date): string;
  /** A moment that is near, with its weekday. */
  near(moment: Date): string;
}

/** The texts of moments for a language and a 24-hour or 12-hour clock. */
export function momentForms(language: string, isTo24: boolean): MomentForms {
  const hourCycle = isTo24 ? "h23" : "h12";
  const hour = { hour: isTo24 ? "2-digit" : "numeric", minute: "2-digit", hourCycle } as const;
  const day = { weekday: "long", day: "numeric", month: "long" } as const;
  const hours = new Intl.DateTimeFormat(language, hour);
  const wholes = new Intl.DateTimeFormat(language, {
    dateStyle: "medium",
    timeStyle: "short",
    hourCycle,
  });
  const nears = new Intl.DateTimeFormat(language, { ...day, ...hour });
  return {
    hour: (moment) => hours.format(moment),
    whole: (moment) => wholes.format(moment),
    near: (moment) => nears.format(moment),
  };
}
