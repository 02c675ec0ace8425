import { computed } from "@preact/signals";
import { momentForms } from "../model/moments";
import { language } from "../words/words";
import { settings } from "./state";
import { zone } from "./zone";

const forms = computed(() => {
  void zone.value;
  return { to12: momentForms(language, false), to24: momentForms(language, true) };
});

/** Moments as text, with the 12-hour or 24-hour clock that the person has chosen. */
export const moments = computed(() =>
  settings.value.twenty_four_hour_time ? forms.value.to24 : forms.value.to12,
);

/** A form of dates in the reader's language and the time zone of the device. */
export function dateForm(options: Intl.DateTimeFormatOptions): (moment: Date) => string {
  const form = computed(() => {
    void zone.value;
    return new Intl.DateTimeFormat(language, options);
  });
  return (moment) => form.value.format(moment);
}
