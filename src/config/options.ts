import type { LogLevel } from "../core/log";
import type { Option, OptionGroup } from "./option";
import { addressAndData } from "./options/address-and-data";
import { files } from "./options/files";
import { https } from "./options/https";
import { limitsOfPeople } from "./options/limits-of-people";
import { mailToChannels } from "./options/mail-to-channels";
import { monitoring } from "./options/monitoring";
import { organizations } from "./options/organizations";
import { outgoingMail } from "./options/outgoing-mail";
import { push } from "./options/push";
import { requestLimits } from "./options/request-limits";
import { signIn } from "./options/sign-in";

/** The options by subject, in the order in which the help lists them. */
export const groups: readonly OptionGroup[] = [
  addressAndData,
  monitoring,
  https,
  outgoingMail,
  mailToChannels,
  push,
  files,
  organizations,
  signIn,
  requestLimits,
  limitsOfPeople,
];

/** The options by their configuration key: `--port`, `CHATD_PORT`, `port = 8080` in the file. */
export const options = {
  ...addressAndData.options,
  ...monitoring.options,
  ...https.options,
  ...outgoingMail.options,
  ...mailToChannels.options,
  ...push.options,
  ...files.options,
  ...organizations.options,
  ...signIn.options,
  ...requestLimits.options,
  ...limitsOfPeople.options,
} satisfies Record<string, Option>;

export type OptionName = keyof typeof options;

type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name;

type Given<Type> = Type extends "integer"
  ? number
  : Type extends "flag"
    ? boolean
    : Type extends "level"
      ? LogLevel
      : string;

type Missing<Type, Fallback> = Type extends "address"
  ? undefined
  : Fallback extends undefined
    ? undefined
    : never;

/** Everything that an operator can set: `max_file_upload_size_mib` is `maxFileUploadSizeMib`. */
export type Config = Readonly<{
  [Name in OptionName as CamelCase<Name>]:
    | Given<(typeof options)[Name]["type"]>
    | Missing<(typeof options)[Name]["type"], (typeof options)[Name]["fallback"]>;
}>;
