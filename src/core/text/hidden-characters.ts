/*
 * Invisible characters in names deceive: two names that look alike may differ, and a name can
 * reverse the text after it. They stay where writing needs them: inside words and emoji (UTS 55, 5;
 * UTS 51, 2; RFC 8264, 9.9).
 */

/**
 * Direction controls, tags, zero-width spaces, soft hyphens, joiners, variation selectors, fillers,
 * annotation marks.
 */
const hidden = String.raw`[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]`;
const hiddenAnywhere = new RegExp(hidden, "v");

/** A picture, in its chosen form; several are joined to one: a family, a flag in rainbow colors. */
const picture = String.raw`\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|[\ufe0e\ufe0f])?`;
const emoji = [
  String.raw`[0-9#*]\ufe0f\u20e3`,
  // The flag of a part of a country: England's is a black flag, tags that spell "gbeng", and the
  // tag that ends them.
  String.raw`\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}`,
  String.raw`${picture}(?:\u200d${picture})*`,
];

/** Letters that have several forms. */
const variants = [
  String.raw`\p{sc=Han}[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`[\p{sc=Mong}\p{sc=Mymr}\p{sc=Phag}]\ufe00`,
  String.raw`\p{sc=Mong}(?:[\u180b-\u180d\u180f]|\u180e(?=\p{sc=Mong}))`,
];

const scripts =
  "Arab Syrc Mand Nkoo Mong Phag Adlm Rohg Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Java Bali Sund Cakm Newa Tirh Modi Kthi Limb Lepc Mtei";
/** Letters and marks whose form changes beside a joiner. */
const joining = `[[\\p{L}\\p{M}]&&[${scripts
  .split(" ")
  .map((script) => `\\p{scx=${script}}`)
  .join("")}]]`;
const joiner = String.raw`[\u200c\u200d]`;
const joiners = [
  `(?<=${joining})${joiner}(?=[\\p{L}\\p{M}\\p{N}])`,
  `(?<=[\\p{L}\\p{M}\\p{N}])${joiner}(?=${joining})`,
  // The half form of a consonant, which may end a word.
  String.raw`(?<=[${joining}&&\p{M}])\u200d`,
];

const keptOrHidden = new RegExp(
  `(${[...emoji, ...variants, ...joiners].join("|")})|${hidden}`,
  "gv",
);

const severalJoiners = /([\u200c\u200d])[\u200c\u200d]+/g;

/** Whether a text has invisible characters, needed or not. */
export const hasHidden = (text: string): boolean => hiddenAnywhere.test(text);

/** A name without invisible characters, except where its writing needs them. */
export function withoutHidden(name: string): string {
  if (!hasHidden(name)) return name;
  return name.replace(severalJoiners, "$1").replace(keptOrHidden, (_, kept?: string) => kept ?? "");
}

/** Whether nothing of a name is visible. The blank Braille pattern is as wide as a letter. */
export const isBlank = (name: string): boolean => !/[^\s\u2800]/.test(name);
