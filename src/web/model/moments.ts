/** Moments as words, in a language and by one count of hours. */
export interface MomentForms {
  /** The time of the day alone. */
  hour(moment: Date): string;
  /** The date and the time. */
  whole(moment: Date): string;
  /** A moment that is near, with its day of the week. */
  near(moment: Date): string;
}

/** The forms of moments for somebody who counts hours to 24, or to 12. */
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
