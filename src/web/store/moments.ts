import { computed } from "@preact/signals";
import { momentForms } from "../model/moments";
import { language } from "../words/words";
import { settings } from "./state";

const forms = { to12: momentForms(language, false), to24: momentForms(language, true) };

/** Moments as text, with the 12-hour or 24-hour clock that the person has chosen. */
export const moments = computed(() =>
  settings.value.twenty_four_hour_time ? forms.to24 : forms.to12,
);
