import { computed } from "@preact/signals";
import { momentForms } from "../model/moments";
import { language } from "../words/words";
import { settings } from "./state";

const forms = { to12: momentForms(language, false), to24: momentForms(language, true) };

/** Moments as words, with hours as the person has chosen to count them. */
export const moments = computed(() =>
  settings.value.twenty_four_hour_time ? forms.to24 : forms.to12,
);
