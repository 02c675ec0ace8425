/** Facts of a message that is quoted. */
interface Quoted {
  readonly senderName: string;
  readonly senderId: number;
  /** The address of the message. */
  readonly link: string;
  /** The text of the message, as it was written. */
  readonly text: string;
  /** Word that stands between the name and the quotation. */
  readonly said: string;
}

const fencePattern = /^ {0,3}(`{3,})/gm;

/**
 * A message as a quotation in Markdown, which names its sender without a notification. The fence is
 * longer than each fence in the text, because the quotation would end there otherwise.
 */
export function quotationOf({ senderName, senderId, link, text, said }: Quoted): string {
  const longest = Math.max(
    2,
    ...[...text.matchAll(fencePattern)].map(([, ticks = ""]) => ticks.length),
  );
  const fence = "`".repeat(longest + 1);
  return `@_**${senderName}|${senderId}** [${said}](${link}):\n${fence}quote\n${text}\n${fence}\n\n`;
}
